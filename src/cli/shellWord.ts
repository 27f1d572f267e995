/** A word as a shell takes it, quoted only if it must be. */
export function shellWord(text: string): string {
  return /^[\w.:/%~-]+$/.test(text) ? text : quoted(text)
}

/** A word as a shell takes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
