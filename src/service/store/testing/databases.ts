import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../host/embeddedPostgres.ts'
import { removeIfKilled } from '../../../host/watchdog.ts'

/** Creates empty databases and removes them all at the end. */
export interface Databases {
  /** The URL of a new, empty database. */
  create(): Promise<string>
  close(): Promise<void>
}

/** Runs SQL on a database without the store. */
export async function execute(url: string, text: string): Promise<void> {
  if (url.startsWith('file:')) {
    const database = new Database(url.slice('file:'.length))
    database.exec(text)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

export async function fileDatabases(): Promise<Databases> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-store-'))
  let count = 0
  return {
    create: async () => `file:${join(directory, `${++count}.db`)}`,
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

export interface PostgresServer extends Databases {
  /** Stops the server and its connections; keeps its data. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Ends every connection to a database as its administrator would; resolves when the server has ended them. */
  terminateConnections(url: string): Promise<void>
}

/** A private PostgreSQL server on a free port, with its data in a temporary directory. */
async function postgresServer(): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-postgres-'))
  const forget = removeIfKilled(directory)
  const server = await startEmbeddedPostgres(directory)
  let count = 0
  return {
    async create() {
      const name = `store_${++count}`
      await server.createDatabase(name)
      return server.urlOf(name)
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async terminateConnections(url) {
      const administrator = new pg.Client({ connectionString: server.urlOf('postgres') })
      await administrator.connect()
      try {
        const { rows } = await administrator.query(
          'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
          [new URL(url).pathname.slice(1)],
        )
        // The server checks each connection every 100 ms; since all were ended together, most are gone by now.
        const waited = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid = any($1)'
        await administrator.query(waited, [rows.map(({ pid }) => pid)])
      } finally {
        await administrator.end()
      }
    },
    async close() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
      forget()
    },
  }
}

let shared: Promise<PostgresServer> | null = null

/**
 * Returns the server that the test files of this process share, one file at a time, since starting one takes longer than most
 * of their tests. Closing it removes the databases created since and keeps it running for the next file; it ends with this
 * process, even if that is killed.
 */
export async function sharedPostgresServer(): Promise<PostgresServer> {
  shared ??= postgresServer()
  const server = await shared
  const urls: string[] = []
  let isRunning = true
  const start = async () => {
    if (!isRunning) await server.start()
    isRunning = true
  }
  return {
    create: async () => {
      const url = await server.create()
      urls.push(url)
      return url
    },
    stop: () => {
      isRunning = false
      return server.stop()
    },
    start,
    terminateConnections: (url) => server.terminateConnections(url),
    close: async () => {
      await start()
      for (const url of urls) {
        const administrators = new URL('postgres', url).href
        await execute(administrators, `drop database ${new URL(url).pathname.slice(1)} with (force)`)
      }
    },
  }
}
