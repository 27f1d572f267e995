import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Location, Mutant, MutantResult } from '@stryker-mutator/api/core'
import type { Reporter } from '@stryker-mutator/api/report'
import { type Place, placeOf } from './declarations.ts'

/** What identifies a mutant, in this commit and in later ones. */
export interface MutantId extends Place {
  /** Relative to the checkout. */
  readonly file: string
  readonly mutator: string
  readonly original: string
  readonly replacement: string
}

/** One mutant and its result: a line of the journal. */
export interface Entry extends MutantId {
  /** From 1, at the time of the run. */
  readonly line: number
  readonly status: MutantResult['status']
  /** The case that killed it and its message, or why it could not be judged. */
  readonly reason: string
  /** How many of the cases that reach it were run. */
  readonly ran: number
}

/** How the reason begins when the service does not start with the mutant. */
export const NO_START = 'no start: '

/** Resolved at once: the runner changes its working directory later. */
const FILE = resolve('reports/mutation/journal.jsonl')
const ROOT = process.cwd()

/** Appends each result as it comes, so that an interrupted run loses nothing. */
export class Journal implements Reporter {
  constructor() {
    mkdirSync(dirname(FILE), { recursive: true })
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    const { fileName, location, mutatorName, replacement, status, statusReason } = result
    const entry: Entry = {
      ...identify(fileName, location, mutatorName, replacement ?? ''),
      line: location.start.line,
      status,
      reason: `${result.killedBy?.[0] ?? ''} ${statusReason ?? ''}`.trim(),
      ran: result.testsCompleted ?? 0,
    }
    appendFileSync(FILE, `${JSON.stringify(entry)}\n`)
  }
}

/** The last result of each mutant, over all runs since the journal was begun, by `keyOf`. */
export function readJournal(): ReadonlyMap<string, Entry> {
  const last = new Map<string, Entry>()
  if (!existsSync(FILE)) return last
  for (const line of readFileSync(FILE, 'utf8').split('\n').filter(Boolean)) {
    const entry = JSON.parse(line) as Entry
    last.set(keyOf(entry), entry)
  }
  return last
}

export function keyOf({ file, within, nth, mutator, original, replacement }: MutantId): string {
  return JSON.stringify([file, within, nth, mutator, original, replacement])
}

/** @param mutant as the runner gets it: lines and columns from 0 */
export function idOf({ fileName, location: { start, end }, mutatorName, replacement }: Mutant): MutantId {
  const fromOne = ({ line, column }: Location['start']) => ({ line: line + 1, column: column + 1 })
  return identify(fileName, { start: fromOne(start), end: fromOne(end) }, mutatorName, replacement)
}

function identify(fileName: string, location: Location, mutator: string, replacement: string): MutantId {
  const source = readFileSync(fileName, 'utf8')
  const original = textAt(source, location)
  const place = placeOf(source, location.start, original)
  return { file: relative(ROOT, fileName), ...place, mutator, original, replacement }
}

function textAt(source: string, { start, end }: Location): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1)
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}
