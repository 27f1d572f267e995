import { rmSync } from 'node:fs'
import { atExit } from './atExit.ts'
import { removeIfKilled } from './watchdog.ts'

/**
 * Returns a file or a folder that does not outlive this process, however it ends.
 *
 * @param path absolute; it need not exist yet.
 * @returns removes it now.
 */
export function temporary(path: string): () => void {
  // What is being killed may still make a file in a folder: then it is tried again.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  const forget = [atExit(remove), removeIfKilled(path)]
  return () => {
    remove()
    for (const each of forget) each()
  }
}
