import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns what the build kept in a file next to the module that runs; null where the sources themselves run, which may have changed since.
 */
export function readBuilt(name: string): unknown {
  const file = join(import.meta.dirname, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
