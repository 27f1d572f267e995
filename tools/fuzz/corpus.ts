import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Input, inputSchema } from './input.ts'

const fileOf = (target: string) => fileURLToPath(new URL(`./corpus/${target}.ndjson`, import.meta.url))
/** Longer inputs are left out of the committed corpus: the code that they reach is reached from the base by few edits. */
const LINE_MAX = 1_200

/** The committed inputs of a target: those that showed a finding once, and those that reach code of their own. */
export function readCorpus(target: string): readonly Input[] {
  const file = fileOf(target)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => inputSchema.parse(JSON.parse(line)))
}

/** Adds inputs to those of a target, one for each line, without those of no edits, long ones and equal ones. */
export function writeCorpus(target: string, inputs: readonly Input[]): number {
  const lines = new Set(
    [...readCorpus(target), ...inputs]
      .filter(({ edits }) => edits.length > 0)
      .map((input) => JSON.stringify(input))
      .filter((line) => line.length <= LINE_MAX),
  )
  writeFileSync(fileOf(target), [...lines].map((line) => `${line}\n`).join(''))
  return lines.size
}
