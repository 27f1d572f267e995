import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs'

const { O_APPEND, O_CREAT, O_NOCTTY = 0, O_NONBLOCK = 0, O_WRONLY } = constants
/** Never blocks: without O_NONBLOCK, opening a pipe without a reader would wait for one. */
const AT_ONCE = O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK

/**
 * Opens a file for appending, and creates it if it is missing. Does not block if someone has put a pipe or a device in its place.
 *
 * @returns its descriptor and its size.
 * @throws the file cannot be opened, or is not a regular file.
 */
export function openToAppend(path: string): { readonly file: number; readonly bytes: number } {
  const file = openSync(path, AT_ONCE)
  const stat = fstatSync(file)
  if (stat.isFile()) return { file, bytes: stat.size }
  closeSync(file)
  throw new Error(`${path} is not a regular file`)
}

/** Appends text to a file, which is created if it is missing. @throws as `openToAppend` does, or the text cannot be written. */
export function appendText(path: string, text: string): void {
  const { file } = openToAppend(path)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
