import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout, and the folder of its build. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const DIST = join(ROOT, 'dist')

/** Inputs of a build. npm rewrites its own list whenever it installs something. */
const FOLDERS = ['src', 'conformance', 'property', 'scenarios', 'tools/build']
const FILES = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']
const TEST = /\.test\.ts$/
/** The file with the time of the newest source of a finished build. */
export const STAMP = 'newest-source'

/**
 * Returns the time at which a source last changed, in milliseconds. That of a folder changes when a file is added or removed.
 * Unlike a file's modification time, no tool resets it.
 */
export function newestSource() {
  const paths = FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => !TEST.test(file))
      .map((file) => join(folder, file)),
  ])
  const times = [...FILES, ...paths].map(
    (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.ctimeMs ?? 0,
  )
  return String(Math.max(...times))
}
