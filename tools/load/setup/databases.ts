import { join } from 'node:path'
import Libsql from 'libsql'
import pg from 'pg'
import { type EmbeddedServer, startEmbeddedPostgres } from '../../../src/host/embeddedPostgres.ts'
import type { Workspace } from './workspace.ts'

export type StoreKind = 'file' | 'postgres'

/** A row read with plain SQL: every value as text or null. */
export type Row = Readonly<Record<string, string | null>>

/** A separate database, read with plain SQL and no code of the service. */
export interface Database {
  /** The value of DATABASE_URL. */
  readonly url: string
  /** Null for a file. */
  readonly server: EmbeddedServer | null
  rows(sql: string): Promise<readonly Row[]>
}

/** Opens an empty database in a workspace; ending the workspace stops its server. */
export async function openDatabase(kind: StoreKind, workspace: Workspace): Promise<Database> {
  if (kind === 'file') {
    const path = join(workspace.root, 'service.db')
    return { url: `file:${path}`, server: null, rows: async (sql) => readFile(path, sql) }
  }
  const server = await openServer(workspace)
  await server.createDatabase('service')
  const url = server.urlOf('service')
  return { url, server, rows: (sql) => query(url, sql) }
}

/** Starts a PostgreSQL server in a workspace; ending the workspace stops it. */
export async function openServer({ root, onEnd }: Workspace): Promise<EmbeddedServer> {
  const server = await startEmbeddedPostgres(join(root, 'postgres'))
  onEnd(server.stop)
  return server
}

function readFile(path: string, sql: string): readonly Row[] {
  const database = new Libsql(path)
  try {
    return database.prepare(sql).all().map(textOf)
  } finally {
    database.close()
  }
}

async function query(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'count' })
  // A connection that the server closes must not end this process.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows.map(textOf)
  } finally {
    await client.end().catch(() => {})
  }
}

function textOf(row: unknown): Row {
  const entries = Object.entries(row as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, value == null ? null : String(value)]))
}
