import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Location, Mutant, MutantResult } from '@stryker-mutator/api/core'
import type { Reporter } from '@stryker-mutator/api/report'

/** One mutant and how it fared, as a line of the journal. */
export interface Entry {
  /** Relative to the checkout. */
  readonly file: string
  /** As Stryker counts: lines from 1, columns from 1. */
  readonly location: Location
  readonly mutator: string
  readonly original: string
  readonly replacement: string
  readonly status: MutantResult['status']
  /** What killed it, kept it from being judged, or made it no mutant at all. */
  readonly reason: string
  /** Whether what it changes runs once in a process, so that it had a process of its own. */
  readonly isStatic: boolean
  /** How many checks run it, and how many were put to it. */
  readonly covering: number
  readonly put: number
}

/** How the reason of a mutant begins with which the service does not start. */
export const NO_START = 'no start: '

/** The runner reads it too, from a process that goes to the sandbox later. */
const FILE = resolve('reports/mutation/journal.jsonl')
const ROOT = process.cwd()

/** Writes each verdict down as it falls, so that a run that is cut off has lost nothing. */
export class Journal implements Reporter {
  constructor() {
    mkdirSync(dirname(FILE), { recursive: true })
  }

  onMutantTested(result: Readonly<MutantResult>): void {
    const { fileName, location, mutatorName, replacement, status, statusReason, coveredBy, testsCompleted } =
      result
    const entry: Entry = {
      file: relative(ROOT, fileName),
      location,
      mutator: mutatorName,
      original: textAt(fileName, location),
      replacement: replacement ?? '',
      status,
      reason: `${result.killedBy?.[0] ?? ''} ${statusReason ?? ''}`.trim(),
      isStatic: result.static ?? false,
      covering: coveredBy?.length ?? 0,
      put: testsCompleted ?? 0,
    }
    appendFileSync(FILE, `${JSON.stringify(entry)}\n`)
  }
}

/** The last verdict on each mutant, of all runs since the journal was begun. */
export function readJournal(): ReadonlyMap<string, Entry> {
  const last = new Map<string, Entry>()
  if (!existsSync(FILE)) return last
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    if (line === '') continue
    const entry = JSON.parse(line) as Entry
    last.set(keyOf(entry), entry)
  }
  return last
}

type Named = Pick<Entry, 'file' | 'location' | 'mutator' | 'replacement'>

function keyOf({ file, location: { start, end }, mutator, replacement }: Named): string {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement])
}

/** The key of a mutant as the runner gets it, whose lines and columns are counted from 0. */
export function keyOfMutant({
  fileName,
  location: { start, end },
  mutatorName,
  replacement,
}: Mutant): string {
  const location = {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
  }
  return keyOf({ file: relative(ROOT, fileName), location, mutator: mutatorName, replacement })
}

function textAt(fileName: string, { start, end }: Location): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const last = lines.length - 1
  lines[last] = (lines[last] ?? '').slice(0, end.column - 1)
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}
