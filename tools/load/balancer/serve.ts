/**
 * Runs several processes of the service on one PostgreSQL database behind nginx, as `plumbline conform --start` starts a
 * service: the balancer listens on PORT. Argument: number of processes. POSTGRES_URL names a server on which databases may be
 * created, UPSTREAMS_LOG a file for a line per request with the process that served it. The database's URL is written to
 * PLUMBLINE_DIR/database-url.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { type RunningProcess, startProcess } from '../../runningProcess.ts'
import { PLUMBLINE, untilPrinted } from '../setup/supervise.ts'

const CONFIGURATION = new URL('../../../docs/deployment/nginx.conf', import.meta.url)
const CACHES = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const { PLUMBLINE_DIR: directory = '', POSTGRES_URL = '', UPSTREAMS_LOG = '', PORT = '' } = process.env
const databaseUrl = await databaseOf(directory)
const children: RunningProcess[] = []
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(0))
const hosts = await Promise.all(Array.from({ length: Number(process.argv[2]) }, serve))
balance()

/** Returns the database of a directory, which stays the same when the service is restarted there. */
async function databaseOf(directory: string): Promise<string> {
  const file = join(directory, 'database-url')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const name = basename(directory).replaceAll(/\W/g, '_').toLowerCase()
  const client = new pg.Client({ connectionString: POSTGRES_URL })
  await client.connect()
  await client.query(`create database ${client.escapeIdentifier(name)}`)
  await client.end()
  const url = new URL(`/${name}`, POSTGRES_URL).href
  writeFileSync(file, url)
  return url
}

/** Starts a process of the service, and returns its address as `host:port`. */
async function serve(): Promise<string> {
  const child = start(process.execPath, [PLUMBLINE, 'serve', '--database', databaseUrl], { PORT: '0' })
  await untilPrinted(child, '\n')
  return new URL(child.output().match(/service at (\S+)/)?.[1] ?? '').host
}

/** Starts nginx with the documented configuration, these services and this port, and keeps its files in the directory. */
function balance(): void {
  const upstream = `upstream plumbline {\n${hosts.map((host) => `server ${host};`).join('\n')}\nkeepalive 64;\n}`
  const paths = CACHES.map((kind) => `${kind}_temp_path ${directory}/nginx-${kind};`)
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace(/upstream plumbline \{[^}]*\}/, upstream)
    .replace('listen 8080;', `listen 127.0.0.1:${PORT};`)
    .replace(
      'access_log off;',
      `log_format upstream $upstream_addr; access_log ${UPSTREAMS_LOG} upstream;\n${paths.join('\n')}`,
    )
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, `daemon off;\npid ${directory}/nginx.pid;\nerror_log stderr;\n${text}`)
  start('nginx', ['-e', 'stderr', '-c', file], {})
}

/** Starts a process; if it ends, all processes are stopped. */
function start(file: string, args: readonly string[], environment: NodeJS.ProcessEnv): RunningProcess {
  const child = startProcess(file, args, { env: { ...process.env, ...environment } })
  children.push(child)
  void child.ended.then(
    () => {
      console.error(child.output())
      stop(1)
    },
    (error) => {
      console.error(`${error.message}. Install ${file}.`)
      stop(1)
    },
  )
  return child
}

function stop(code: number): void {
  for (const child of children) child.signal('SIGTERM')
  process.exit(code)
}
