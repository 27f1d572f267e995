import { relative, resolve } from 'node:path'

/** Returns a word for a shell, quoted only if necessary. */
export function shellWord(text: string): string {
  return /^[\w.:/%~-]+$/.test(text) ? text : quoted(text)
}

/** Returns a quoted word for a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Rewrites a command so that it runs in `folder` when it is called in the current folder. */
export function commandIn(folder: string, command: string): string {
  const path = relative(process.cwd(), resolve(folder))
  return path === '' ? command : `cd ${quoted(path)} && ${command}`
}
