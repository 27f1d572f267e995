import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs'

const { O_APPEND, O_CREAT, O_NOCTTY = 0, O_NONBLOCK = 0, O_WRONLY } = constants
/** To open a pipe that nobody reads would wait for a reader. */
const AT_ONCE = O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK

/**
 * Opens a file to add to it, and makes it where it is missing. A pipe or a device that somebody put under its name holds nobody up.
 *
 * @returns its descriptor, and the bytes that it has.
 * @throws it cannot be opened, or is no regular file.
 */
export function openToAppend(path: string): { readonly file: number; readonly bytes: number } {
  const file = openSync(path, AT_ONCE)
  const stat = fstatSync(file)
  if (stat.isFile()) return { file, bytes: stat.size }
  closeSync(file)
  throw new Error(`${path} is no regular file`)
}

/** Adds a text to a file, which is made where it is missing. @throws as `openToAppend` does, or it cannot be written. */
export function appendText(path: string, text: string): void {
  const { file } = openToAppend(path)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
