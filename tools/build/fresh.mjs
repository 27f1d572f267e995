import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, newestSource, STAMP } from './sources.mjs'

/**
 * Builds this checkout into dist/ unless no source has changed since the last build. Processes may call it concurrently.
 *
 * @throws {Error} with the code ERR_MODULE_NOT_FOUND if the development dependencies are not installed
 */
export async function buildIfStale() {
  const stamp = join(DIST, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === newestSource()) return
  const { build } = await import('./build.mjs')
  await build()
}
