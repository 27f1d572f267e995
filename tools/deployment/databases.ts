import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import pg from 'pg'
import type { PostgresServer } from '../../src/service/store/testing/databases.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import type { Row } from './evidence.ts'

export type StoreKind = 'file' | 'postgres'

/** A database of its own, read with plain SQL and no code of the service. */
export interface Database {
  /** For DATABASE_URL. */
  readonly url: string
  rows(sql: string): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Returns a file in `directory`. */
export function fileDatabase(directory: string): Database {
  const path = join(directory, 'service.db')
  return {
    url: `file:${path}`,
    rows: async (sql) => {
      const database = new Libsql(path)
      try {
        return database.prepare(sql).all().map(textOf)
      } finally {
        database.close()
      }
    },
    close: async () => {},
  }
}

/** A PostgreSQL server that can be killed. */
export interface PostgresDatabase extends Database {
  /** Where its data is: gone after `close`. */
  readonly directory: string
  /** SIGKILL to the server's first process; then it is started again. */
  killServer(): Promise<void>
  /** SIGKILL to one connection's process: the server ends all others and recovers by itself. */
  killBackend(): Promise<void>
  /** `pg_terminate_backend` for every connection of the service. */
  terminateConnections(): Promise<void>
  /** A shutdown and a start. */
  restart(): Promise<void>
}

/** How long a killed server may take until it accepts connections again. */
const RECOVERY_TIMEOUT_MS = 60_000
const RETRY_MS = 50
const OF_SERVICE = `application_name = 'plumbline'`

export async function postgresDatabase(): Promise<PostgresDatabase> {
  const server = await startServer()
  const url = await server.create()
  const rows = (sql: string) => query(url, sql)

  /** A server that was just killed may still hold its memory: it is started again until it runs. */
  async function untilStarted() {
    const endsAtMs = liveTime.nowMs() + RECOVERY_TIMEOUT_MS
    for (;;) {
      const started = await server.start().then(
        () => true,
        () => false,
      )
      if (started) return
      if (liveTime.nowMs() > endsAtMs) throw new Error('PostgreSQL did not start again after it was killed')
      await liveTime.pass(RETRY_MS)
    }
  }
  /** The first rows of a query that has any, from a server that may be recovering. */
  async function untilRows(sql: string) {
    const endsAtMs = liveTime.nowMs() + RECOVERY_TIMEOUT_MS
    for (;;) {
      const [found] = await rows(sql).catch(() => [])
      if (found !== undefined) return found
      if (liveTime.nowMs() > endsAtMs) throw new Error(`PostgreSQL did not recover: no rows of ${sql}`)
      await liveTime.pass(RETRY_MS)
    }
  }
  const directory = (await untilRows('show data_directory')).data_directory ?? ''

  return {
    url,
    rows,
    directory,
    async killServer() {
      const [pid] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await untilStarted()
      await untilRows('select 1')
    },
    async killBackend() {
      const connections = `select pid from pg_stat_activity where ${OF_SERVICE} limit 1`
      // A connection may end on its own between the query and the signal; then another one is killed.
      while (!killed(Number((await untilRows(connections)).pid)));
      await untilRows('select 1')
    },
    async terminateConnections() {
      await rows(`select pg_terminate_backend(pid) from pg_stat_activity where ${OF_SERVICE}`)
    },
    async restart() {
      await server.stop()
      await untilStarted()
      await untilRows('select 1')
    },
    close: () => server.close(),
  }
}

/**
 * Starts the server. Its package ends this process on a signal as soon as the server has stopped, before anything else is;
 * the deployment ends in order itself.
 */
async function startServer(): Promise<PostgresServer> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)))
  const { postgresServer } = await import('../../src/service/store/testing/databases.ts')
  for (const signal of signals)
    for (const listener of process.listeners(signal)) if (!before.has(listener)) process.off(signal, listener)
  return postgresServer()
}

/** Returns whether the process was still there to be killed. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function query(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'count' })
  // A connection that is ended from outside must not end this process.
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
