import { readFileSync } from 'node:fs'

const SERVICE = new URL('../../src/service/', import.meta.url)
const lines = new Map<string, readonly string[]>()

/** The text of a line, counted from 1, of a file below src/service. */
export function lineOf(file: string, line: number): string {
  const known = lines.get(file) ?? readFileSync(new URL(file, SERVICE), 'utf8').split('\n')
  lines.set(file, known)
  return known[line - 1] ?? ''
}
