import { chmodSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit } from './atExit.ts'
import { readForeignFolder } from './foreignFile.ts'
import { removeIfKilled } from './watchdog.ts'

const OWNER_ALL = 0o700

/** Removes what is at an absolute path by then when this process ends, however it does. @returns removes it now. */
export function temporary(path: string): () => void {
  const remove = () => removeTree(path)
  const forget = [atExit(remove), removeIfKilled(path)]
  return () => {
    remove()
    for (const each of forget) each()
  }
}

/** Makes a folder that does not outlive this process, among the temporary files, named after what it is for. */
export function makeTemporaryFolder(what: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `plumbline-${what}-`))
  return { path, remove: temporary(path) }
}

function removeTree(path: string): void {
  // What is being killed may still make a file in a folder: then it is tried again.
  const options = { recursive: true, force: true, maxRetries: 3 }
  try {
    rmSync(path, options)
  } catch {
    openFolders(path)
    rmSync(path, options)
  }
}

/** Gives back the rights in folders of ours that somebody took away. */
function openFolders(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(path, OWNER_ALL)
  for (const name of readForeignFolder(path)) openFolders(join(path, name))
}
