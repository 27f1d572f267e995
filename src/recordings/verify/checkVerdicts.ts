import { plumblineVersion } from '../../host/version.ts'
import { firstDifference } from '../format/differences.ts'
import { assertedVerdicts, comparable } from '../format/digest.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import type { RecordedVerdict, Recording } from '../format/schema.ts'
import { ContradictionError, check } from './errors.ts'

type Verdicts = DraftOf<'verdicts'>

/**
 * Checks that the recorded verdicts are those of the current judges.
 *
 * @param judged the current verdicts: on each quote and build, then on all reports together.
 * @throws {ContradictionError} the first verdict that is missing, invented or different, at its place in the file, with the
 *   entry of its request.
 */
export function checkVerdicts(recording: Recording, judged: readonly Verdicts[]): void {
  const { entries } = recording
  const recorded = positioned(entries, 'verdicts')
  for (const [index, [at, { http, verdicts }]] of recorded.entries()) {
    const then = { kind: 'verdicts' as const, http, verdicts: [...assertedVerdicts(verdicts)] }
    const now = judged[index] ?? { ...then, verdicts: [] }
    const difference = firstDifference(comparable(then, {}), comparable(now, {}))
    if (difference === null) continue
    if (now.http !== http) {
      const problem = `recorded ${difference.recorded}, judged now ${difference.replayed}`
      throw new ContradictionError(at, difference.field, problem)
    }
    throw otherwise(entries, at, then, now)
  }
  const missing = judged[recorded.length]
  const problem = `none are recorded of ${missing?.http ?? 'the reports'}`
  check(missing === undefined, entries.length, 'verdicts', problem)
}

function otherwise(entries: Drafts, at: number, then: Verdicts, now: Verdicts): ContradictionError {
  const gone = withoutEqual(then, now)
  const added = withoutEqual(now, then)
  const places = [...new Set([...gone, ...added].map(({ requirement }) => requirement))]
  const [first = ''] = places
  const isFirst = ({ requirement }: RecordedVerdict) => requirement === first
  const recorded = gone.find(isFirst) ?? (added.find(isFirst) && then.verdicts.find(isFirst))
  const judged = added.find(isFirst) ?? now.verdicts.find(isFirst)
  const all = entries[at] as Verdicts
  const position = recorded === undefined ? -1 : all.verdicts.indexOf(recorded)
  const more = places.length > 1 ? `; ${places.length - 1} more: ${places.slice(1).join(', ')}` : ''
  return new ContradictionError(
    at,
    position < 0 ? 'verdicts' : `verdicts.${position}`,
    `${first} of ${aboutOf(entries, then.http)}: ${changeOf(recorded, judged, gone.some(isFirst))}${more}`,
    adviceFor(entries),
  )
}

function changeOf(
  recorded: RecordedVerdict | undefined,
  judged: RecordedVerdict | undefined,
  isGone: boolean,
): string {
  const now = judged === undefined ? '' : `judged now ${judged.outcome}${detailsOf(judged)}`
  if (recorded === undefined) return `not recorded, ${now}`
  if (judged === undefined) return `recorded ${recorded.outcome}, and the judges of today say nothing of it`
  if (recorded.outcome !== judged.outcome) return `recorded ${recorded.outcome}, ${now}`
  return `${recorded.outcome} is recorded ${isGone ? 'more' : 'less'} often than it is judged now`
}

function detailsOf({ outcome, expected, actual }: RecordedVerdict): string {
  return outcome === 'fail' && expected !== undefined
    ? ` (expected ${expected}, actual ${actual ?? 'something else'})`
    : ''
}

/** Returns the verdicts that the others lack. On all reports together, repetitions count. */
function withoutEqual({ http, verdicts }: Verdicts, others: Verdicts): readonly RecordedVerdict[] {
  const left = others.verdicts.map(saidIn)
  return verdicts.filter((verdict) => {
    const equal = left.indexOf(saidIn(verdict))
    if (equal >= 0 && http === null) left.splice(equal, 1)
    return equal < 0
  })
}

const saidIn = ({ requirement, outcome }: RecordedVerdict) => `${requirement} ${outcome}`

function aboutOf(entries: Drafts, http: number | null): string {
  if (http === null) return 'all reports together'
  const [found] = positioned(entries, 'http').filter(([, { id }]) => id === http)
  return `request ${http}${found === undefined ? '' : ` (entry ${found[0]}, ${found[1].method} ${found[1].path.split('?')[0]})`}`
}

/** Either the file was altered and sealed again, or the judges have changed since: the versions show which is possible. */
function adviceFor(entries: Drafts): string {
  const [[, made] = []] = positioned(entries, 'provenance')
  const here = plumblineVersion()
  return made === undefined || made.plumbline === here
    ? `It says to be of this version, ${here}, whose judges say otherwise: it was altered and sealed again, unless the judges changed within the version. Compare its root with one that you trust.`
    : `It says to be of Plumbline ${made.plumbline}, and this is ${here}: it was altered and sealed again, or the judges became stricter since. Verify it with ${made.plumbline}: if it is refused there too, do not trust it.`
}
