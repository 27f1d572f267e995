import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './atExit.ts'
import { readForeignFolder } from './foreignFile.ts'
import { removeIfKilled } from './watchdog.ts'

const OWNER_ALL = 0o700

/** Removes whatever is at an absolute path when this process ends, in any way. @returns a function that removes it now. */
export function temporary(path: string): () => void {
  const remove = () => removeTree(path)
  const forget = [atExit(remove), removeIfKilled(path)]
  return () => {
    remove()
    for (const each of forget) each()
  }
}

/** Creates a temporary folder that does not outlive this process. @param what its purpose, as part of its name. */
export function makeTemporaryFolder(what: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `plumbline-${what}-`))
  return { path, remove: temporary(path) }
}

function removeTree(path: string): void {
  // Processes that are being killed may still create files in a folder: then it is tried again.
  const options = { recursive: true, force: true, maxRetries: 3 }
  try {
    rmSync(path, options)
  } catch {
    openFolders(path)
    rmSync(path, options)
  }
}

/** Restores permissions that were removed from our folders. */
function openFolders(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(path, OWNER_ALL)
  for (const name of readForeignFolder(path)) openFolders(join(path, name))
}
