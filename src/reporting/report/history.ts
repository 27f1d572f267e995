import { z } from 'zod'
import { allRequirements } from '../../spec/requirements/index.ts'
import { type RunVerdict, requirementVerdictSchema, resultsSchema } from '../results.ts'
import type { Specification } from './about.ts'
import type { Verdict } from './model.ts'

const { section, status } = requirementVerdictSchema.shape
const { target, seed, verdict, baseline, footer } = resultsSchema.shape

/** What the results of every version have in common, as far as a history needs it; whatever else they hold is ignored. */
export const pastResultsSchema = z.object({
  schema: z.string().startsWith('plumbline-results/'),
  target,
  seed,
  profile: z.string(),
  verdict,
  baseline: baseline.catch(null),
  requirements: z.array(
    z.object({
      id: z.string(),
      section,
      // A status of another version says nothing here.
      status: status.or(z.literal('untested')).catch('untested'),
    }),
  ),
  footer,
})

/** What a history needs of one run, of this version or another. */
export interface PastRun {
  /** The directory of the run. */
  readonly name: string
  readonly target: string
  readonly seed: number
  readonly profile: string
  readonly verdict: RunVerdict
  /** The verdict in words, with the baseline that it holds. */
  readonly headline: string
  /** When it ended, as ISO 8601 in UTC; null: its version did not write that. */
  readonly endedAt: string | null
  /** The version of Plumbline; null: unknown. */
  readonly version: string | null
  readonly specification: Specification | null
  readonly requirements: readonly {
    readonly id: string
    readonly section: string
    readonly status: Verdict
  }[]
}

/** One requirement over all runs. */
export interface HistoryRow {
  readonly id: string
  readonly section: string
  /** Null: this version has no such requirement. */
  readonly statement: string | null
  /** In the order of the runs; `untested`: the run judged it in no case, or its version had no such requirement. */
  readonly verdicts: readonly Verdict[]
}

/** What one run changed, as ids of requirements. */
export interface HistoryChange {
  /** Violated in this run, and in the last run before it that decided, not. */
  readonly broke: readonly string[]
  /** Violated in the last run before it that decided, and not in this one. */
  readonly fixed: readonly string[]
  /** Decided before, and inconclusive in this run. */
  readonly lost: readonly string[]
}

/** Requirements over runs, the oldest run first. */
export interface History {
  readonly runs: readonly Omit<PastRun, 'requirements'>[]
  readonly rows: readonly HistoryRow[]
  /** One for each run; that of the first counts what it found violated as broken. */
  readonly changes: readonly HistoryChange[]
}

/**
 * The history of some runs, in the order of their dates. Runs without a date come first, as they were given: only an
 * earlier version wrote none. Requirements that one of the runs has and this version does not are rows as well.
 */
export function historyOf(runs: readonly PastRun[]): History {
  const ordered = runs.toSorted((one, other) => compareText(one.endedAt ?? '', other.endedAt ?? ''))
  const rows = rowsOf(ordered)
  return {
    runs: ordered.map(({ requirements: _, ...run }) => run),
    rows,
    changes: ordered.map((_, index) => changeAt(rows, index)),
  }
}

/** Whether its verdict was not the same in all runs that decided, or the newest run finds it violated. */
export function isEventful({ verdicts }: HistoryRow): boolean {
  const decided = new Set(verdicts.filter(isDecided))
  return decided.size > 1 || verdicts.at(-1) === 'fail'
}

function rowsOf(runs: readonly PastRun[]): readonly HistoryRow[] {
  const verdicts = runs.map(({ requirements }) => new Map(requirements.map(({ id, status }) => [id, status])))
  const row = (id: string, section: string, statement: string | null): HistoryRow => ({
    id,
    section,
    statement,
    verdicts: verdicts.map((of) => of.get(id) ?? 'untested'),
  })
  const known = allRequirements().filter(({ level }) => level !== 'untestable')
  const ids = new Set<string>(known.map(({ id }) => id))
  const former = new Map(
    runs.flatMap(({ requirements }) =>
      requirements.filter(({ id }) => !ids.has(id)).map(({ id, section }) => [id, section] as const),
    ),
  )
  return [
    ...known.map(({ id, section, statement }) => row(id, section, statement)),
    ...[...former].map(([id, section]) => row(id, section, null)),
  ]
}

function changeAt(rows: readonly HistoryRow[], index: number): HistoryChange {
  const change = { broke: [] as string[], fixed: [] as string[], lost: [] as string[] }
  for (const { id, verdicts } of rows) {
    const now = verdicts[index] ?? 'untested'
    const before = verdicts.slice(0, index).findLast(isDecided)
    if (now === 'fail' && before !== 'fail') change.broke.push(id)
    if (before === 'fail' && isDecided(now) && now !== 'fail') change.fixed.push(id)
    if (before !== undefined && now === 'inconclusive' && verdicts[index - 1] !== 'inconclusive') {
      change.lost.push(id)
    }
  }
  return change
}

/** A verdict that says something of the service. */
function isDecided(verdict: Verdict): boolean {
  return verdict === 'pass' || verdict === 'fail' || verdict === 'observed' || verdict === 'not-kept'
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}
