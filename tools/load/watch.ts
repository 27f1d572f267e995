import { execFile } from 'node:child_process'
import http from 'node:http'
import { promisify } from 'node:util'

const run = promisify(execFile)
const EVERY_MS = 250
/** Bytes in what `ps` calls a kilobyte, and in a megabyte. */
const KIB = 1024
const MB = 1_000_000

/** Describes what a service under load was like from the outside. */
export interface Watched {
  /** The most memory that its process had. */
  readonly memoryMb: number
  /** The slowest answer of `/healthz` and of `/openapi.json`, each on a connection of its own; null: it failed. */
  readonly healthMaxMs: number | null
  readonly docsMaxMs: number | null
}

/** Watches a service until the returned function is called. */
export function watch(url: string, pid: number): () => Promise<Watched> {
  let over = false
  const repeat = async (look: () => Promise<number | null>): Promise<number | null> => {
    let most: number | null = 0
    while (!over) {
      const value = await look()
      most = value === null || most === null ? null : Math.max(most, value)
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
    return most
  }
  const watched = Promise.all([
    repeat(() => memoryMb(pid)),
    repeat(() => timeOf(`${url}/healthz`)),
    repeat(() => timeOf(`${url}/openapi.json`)),
  ])
  return async () => {
    over = true
    const [memory, healthMaxMs, docsMaxMs] = await watched
    return { memoryMb: memory ?? 0, healthMaxMs, docsMaxMs }
  }
}

async function memoryMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', `${pid}`])
  return (Number(stdout) * KIB) / MB
}

/** Returns how long a GET on a new connection takes; null when it is not answered with 200. */
function timeOf(url: string): Promise<number | null> {
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - startedMs : null))
      response.on('error', () => resolve(null))
      response.resume()
    })
    request.on('error', () => resolve(null))
  })
}
