import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file aside and then renames it, so that a reader never meets half of one, whenever this process ends. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
