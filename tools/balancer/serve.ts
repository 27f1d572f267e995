/**
 * Runs several processes of the service on one PostgreSQL database behind nginx, as `plumbline conform --start` starts a service: the
 * balancer listens on PORT. `npx tsx tools/balancer/serve.ts COUNT`, with POSTGRES_URL for a server on which databases may be created, and UPSTREAMS_LOG
 * for a file that gets a line for each request, with the process that served it. The URL of the database is written to PLUMBLINE_DIR/database-url.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const PROGRAM = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const CONFIGURATION = fileURLToPath(new URL('../../docs/deployment/nginx.conf', import.meta.url))

const count = Number(process.argv[2])
const directory = required('PLUMBLINE_DIR')
const databaseUrl = await databaseOf(directory)
const children: ChildProcess[] = []
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(0))

const services = await Promise.all(Array.from({ length: count }, serve))
balance(services, required('PORT'))

/** Returns the database of a directory, which stays the same when the service is started again in it. */
async function databaseOf(directory: string): Promise<string> {
  const file = join(directory, 'database-url')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const server = required('POSTGRES_URL')
  const name = basename(directory)
    .replaceAll(/[^a-zA-Z0-9]/g, '_')
    .toLowerCase()
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${client.escapeIdentifier(name)}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  writeFileSync(file, url.href)
  return url.href
}

/** Starts a process of the service, and returns where it listens, as `host:port`. */
async function serve(): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--database', databaseUrl], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  watch(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  child.stdout.resume()
  return new URL(line.replace('service at ', '')).host
}

/** Starts nginx with the configuration of the documentation, with these services and this port. */
function balance(services: readonly string[], port: string): void {
  const upstream = `upstream plumbline {\n${services.map((host) => `server ${host};`).join('\n')}\nkeepalive 64;\n}`
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace(/upstream plumbline \{[^}]*\}/, upstream)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace(
      'access_log off;',
      `log_format upstream $upstream_addr; access_log ${required('UPSTREAMS_LOG')} upstream;`,
    )
    // What it writes belongs to this run.
    .replace(
      'http {',
      `http {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory}/nginx-${kind};`).join('\n')}`,
    )
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, `daemon off;\npid ${directory}/nginx.pid;\nerror_log stderr;\n${text}`)
  watch(spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'inherit', 'inherit'] }))
}

/** One that ends is the end of all. */
function watch(child: ChildProcess): void {
  children.push(child)
  child.once('exit', () => stop(1))
  child.once('error', (error) => {
    console.error(`${error.message}. Install nginx.`)
    stop(1)
  })
}

function stop(code: number): void {
  for (const child of children) {
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
  }
  process.exit(code)
}

/** @throws {Error} the variable is not set. */
function required(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set. Start this with \`npm run check:balancer\`.`)
  return value
}
