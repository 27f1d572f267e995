import { breaks } from '../spec/requirements/causes.ts'
import { BASELINE_SCHEMA, type Baseline, type BaselineEntry } from './baselineFormat.ts'
import { type ComparedWithBaseline, casesOf, type Results } from './results.ts'
import type { CaseVerdict } from './verdicts.ts'

/** The end of a case, as a baseline compares it. A case that a response of the target made inconclusive has a fingerprint too. */
export interface CaseEnd extends CaseVerdict {
  /** The reason, if a response of the target made the case inconclusive; absent otherwise. No other inconclusive end is excused. */
  readonly inconclusive?: string
}

/**
 * Compares a run with its baseline.
 *
 * @param today as YYYY-MM-DD
 */
export function compareWithBaseline(
  cases: readonly CaseEnd[],
  { entries }: Baseline,
  today: string,
): ComparedWithBaseline {
  const byId = new Map(cases.map((end) => [end.id, end]))
  const expired = entries.filter(({ case: id, expires }) => expires < today && wasRun(byId.get(id)))
  const valid = entries.filter(({ expires }) => expires >= today)
  const entryOf = entriesByEnd(valid)
  const compared = cases.filter(isExcusable).map((end) => {
    const entry = entryOf(end)
    const added = (end.alsoViolated ?? []).filter((id) => !entry?.alsoViolated?.includes(id))
    return { end, entry, added, isExcused: entry !== null && added.length === 0 }
  })
  const widened = compared
    .filter(({ entry, isExcused }) => entry !== null && !isExcused)
    .map(({ end, added }) => ({ case: end.id, requirements: added }))
  const met = new Set(compared.map(({ entry }) => entry && keyOf(entry)))
  const unmet = valid.filter((known) => !met.has(keyOf(known)))
  const unknown = new Map(compared.flatMap(({ end, entry }) => (entry === null ? [[end.id, end]] : [])))
  const differs = unmet.flatMap(({ case: id }) => {
    const end = unknown.get(id)
    return end === undefined ? [] : [{ case: id, now: describeEnd(end) }]
  })
  return {
    excused: compared.flatMap(({ entry, isExcused }) => (isExcused ? (entry ?? []) : [])),
    unexcused: compared
      .filter(({ end, isExcused }) => end.status === 'fail' && !isExcused)
      .map(({ end }) => end.id),
    ...(widened.length === 0 ? {} : { widened }),
    ...(differs.length === 0 ? {} : { differs }),
    stale: unmet.filter((known) => isDecided(byId.get(known.case))),
    expired,
  }
}

/** Returns whether a baseline can excuse this end of a case. */
function isExcusable({ status, inconclusive }: CaseEnd): boolean {
  return status === 'fail' || inconclusive !== undefined
}

/** Returns the key of an entry: its case, and the fingerprint that distinguishes the failure from others. */
export const keyOf = (entry: BaselineEntry) => `${entry.case} ${entry.fingerprint}`

/** Returns a function that finds the entry for the end of a case, even if the case violates more; null: there is none. */
function entriesByEnd(entries: readonly BaselineEntry[]): (end: CaseEnd) => BaselineEntry | null {
  // The first of equal entries counts.
  const known = new Map(entries.toReversed().map((entry) => [keyOf(entry), entry]))
  return (end) => {
    const entry = known.get(`${end.id} ${end.fingerprint}`)
    const isOfKind =
      end.status === 'fail' ? entry?.requirement === end.requirement : entry?.inconclusive !== undefined
    return entry !== undefined && isOfKind ? entry : null
  }
}

function describeEnd({ status, requirement, fingerprint, inconclusive }: CaseEnd): string {
  return status === 'fail'
    ? `violates ${requirement ?? ''} like ${fingerprint ?? ''}`
    : `is inconclusive: ${inconclusive ?? ''}`
}

/** Returns whether a case came to a verdict. */
export function isDecided(end: Pick<CaseEnd, 'status'> | undefined): boolean {
  const status = end?.status
  return status === 'pass' || status === 'fail' || status === 'observed'
}

/** Returns whether a run included a case: entries for cases that --only or the profile left out do not matter. */
function wasRun(end: CaseEnd | undefined): boolean {
  const status = end?.status
  return status !== undefined && status !== 'skipped' && status !== 'not-applicable'
}

/** The reason and the last day for which entries of a baseline are excused; empty strings: not given. */
export type Excuse = Pick<BaselineEntry, 'reason' | 'link' | 'expires'>

/** Returns the baseline with new entries for excusable ends that none excuses yet, in place of other entries for their cases. */
export function withNewEntries(cases: readonly CaseEnd[], { entries }: Baseline, why: Excuse): Baseline {
  const entryOf = entriesByEnd(entries)
  const added = cases
    .filter((end) => isExcusable(end) && !isCovered(end, entryOf(end)))
    .map((end) => entryFor(end, why))
  const ids = new Set(added.map((entry) => entry.case))
  return { schema: BASELINE_SCHEMA, entries: [...entries.filter((known) => !ids.has(known.case)), ...added] }
}

/**
 * Returns the baseline without the entries whose cases no longer end so. Expired entries are renewed with the values given in
 * `why`; entries of cases that this run did not decide stay unchanged.
 *
 * @param today as YYYY-MM-DD
 */
export function withoutStaleEntries(
  cases: readonly CaseEnd[],
  { entries }: Baseline,
  why: Excuse,
  today: string,
): Baseline {
  const byId = new Map(cases.map((end) => [end.id, end]))
  const entryOf = entriesByEnd(entries)
  const kept = entries.filter((known) => {
    const end = byId.get(known.case)
    if (end === undefined || !(isDecided(end) || isExcusable(end))) return true
    const met = entryOf(end)
    return met !== null && keyOf(met) === keyOf(known)
  })
  return {
    schema: BASELINE_SCHEMA,
    entries: kept.map((known) => ({ ...known, ...excuseOf(known, why, today) })),
  }
}

function isCovered(end: CaseEnd, entry: BaselineEntry | null): boolean {
  return entry !== null && (end.alsoViolated ?? []).every((id) => entry.alsoViolated?.includes(id))
}

function entryFor(end: CaseEnd, why: Excuse): BaselineEntry {
  const { id, requirement, inconclusive, fingerprint, alsoViolated } = end
  return {
    case: id,
    ...(inconclusive === undefined ? { requirement: requirement ?? '' } : { inconclusive }),
    fingerprint: fingerprint ?? '',
    ...(alsoViolated === undefined ? {} : { alsoViolated }),
    ...{ reason: why.reason, link: why.link, expires: why.expires },
  }
}

function excuseOf(known: BaselineEntry, why: Excuse, today: string): Excuse {
  const { reason, link, expires } = known
  if (expires >= today) return { reason, link, expires }
  return { reason: why.reason || reason, link: why.link || link, expires: why.expires || expires }
}

/** Returns the entries that excuse cases of a run, by case id; empty without a baseline. */
export function excusesOf({ baseline }: Pick<Results, 'baseline'>): ReadonlyMap<string, BaselineEntry> {
  return new Map(baseline?.excused.map((entry) => [entry.case, entry]))
}

/**
 * Returns the requirements that only excused cases break or keep from their evidence: no failure that counts affects them, and
 * nothing shows that they are kept.
 */
export function excusedRequirements(
  run: Pick<Results, 'baseline' | 'requirements' | 'suites'>,
): ReadonlySet<string> {
  const excuses = excusesOf(run)
  if (excuses.size === 0) return new Set()
  const counted = casesOf(run).filter(({ id }) => !excuses.has(id))
  const failed = new Set(
    counted.flatMap(({ judged }) => judged.filter((each) => each.failed > 0)).map((each) => each.requirement),
  )
  const isBroken = (id: string) =>
    failed.has(id) || counted.some(({ failure }) => failure !== null && breaks(failure, id))
  return new Set(
    run.requirements
      .filter(({ id, sameAs, status, stoppedBy }) =>
        status === 'fail'
          ? !isBroken(sameAs ?? id)
          : status === 'inconclusive' && excuses.has(stoppedBy ?? ''),
      )
      .map(({ id }) => id),
  )
}

/** Returns the status to show for a case or a requirement: `excused` if the baseline excuses it. */
export function shownStatus<Status extends string>(
  { id, status }: { readonly id: string; readonly status: Status },
  excused: { has(id: string): boolean },
): Status | 'excused' {
  return excused.has(id) ? 'excused' : status
}
