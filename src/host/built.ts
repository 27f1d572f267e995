import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the content of a file that the build wrote next to the running module; null if the sources run unbuilt. */
export function readBuilt(name: string): unknown {
  const file = join(import.meta.dirname, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
