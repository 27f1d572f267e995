import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Input, inputSchema } from './input.ts'

/** Returns the committed inputs of a target: those that showed a finding once, and those that reach code of their own. */
export function readCorpus(target: string): readonly Input[] {
  const file = fileURLToPath(new URL(`./corpus/${target}.ndjson`, import.meta.url))
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => inputSchema.parse(JSON.parse(line)))
}
