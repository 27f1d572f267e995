import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJunit } from '../../reporting/junit.ts'
import type { Outcome } from './results.ts'

/**
 * Writes what a run found. Each file is written aside and then renamed, so that a reader never meets half of one.
 *
 * @param redact Takes every key out of a text.
 */
export function writeOutcome(outcome: Outcome, directory: string, redact: (text: string) => string): void {
  mkdirSync(directory, { recursive: true })
  const files = {
    'verdicts.json': `${JSON.stringify(outcome.verdicts, null, 2)}\n`,
    'results.json': `${JSON.stringify(outcome.results, null, 2)}\n`,
    'junit.xml': toJunit(outcome.results),
  }
  for (const [name, text] of Object.entries(files)) writeWhole(join(directory, name), redact(text))
}

/** Writes a file whole or not at all. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
