import { relative, resolve } from 'node:path'

/** Returns a word as a shell takes it, quoted only if it must be. */
export function shellWord(text: string): string {
  return /^[\w.:/%~-]+$/.test(text) ? text : quoted(text)
}

/** Returns a word as a shell takes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns a command of a file as it must be written in the current folder, so that it runs in the folder of the file. */
export function commandIn(folder: string, command: string): string {
  const path = relative(process.cwd(), resolve(folder))
  return path === '' ? command : `cd ${quoted(path)} && ${command}`
}
