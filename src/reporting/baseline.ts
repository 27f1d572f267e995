import { breaks } from '../spec/requirements/causes.ts'
import { BASELINE_SCHEMA, type Baseline, type BaselineEntry } from './baselineFormat.ts'
import { type ComparedWithBaseline, casesOf, type Results } from './results.ts'
import type { CaseVerdict } from './verdicts.ts'

/** Describes how a case ended, as a baseline knows it: one that is inconclusive by a response of the target has a fingerprint too. */
export interface CaseEnd extends CaseVerdict {
  /** Why it is inconclusive, where a response of the target is why; absent otherwise. Nothing else is ever excused. */
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

/** Returns whether a baseline can excuse how a case ended. */
function isExcusable({ status, inconclusive }: CaseEnd): boolean {
  return status === 'fail' || inconclusive !== undefined
}

/** Returns what an entry excuses: a case, and what keeps its failure apart from others. */
export const keyOf = (entry: BaselineEntry) => `${entry.case} ${entry.fingerprint}`

/** Finds the entry that is of the end of a case, whatever else the case violates; null where there is none. */
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

function isDecided(end: CaseEnd | undefined): boolean {
  const status = end?.status
  return status === 'pass' || status === 'fail' || status === 'observed'
}

/** Returns whether a run looked at a case at all: what --only or the profile left out is nobody's concern. */
function wasRun(end: CaseEnd | undefined): boolean {
  const status = end?.status
  return status !== undefined && status !== 'skipped' && status !== 'not-applicable'
}

/** Describes why the entries of a baseline are excused, and until when; empty where that was not given. */
export type Excuse = Pick<BaselineEntry, 'reason' | 'link' | 'expires'>

/**
 * Returns the baseline with an entry for each case that ends in a way that none excuses yet, however its case ended when it was
 * known before.
 */
export function withNewEntries(cases: readonly CaseEnd[], { entries }: Baseline, why: Excuse): Baseline {
  const entryOf = entriesByEnd(entries)
  const added = cases
    .filter((end) => isExcusable(end) && !isCovered(end, entryOf(end)))
    .map((end) => entryFor(end, why))
  const ids = new Set(added.map((entry) => entry.case))
  return { schema: BASELINE_SCHEMA, entries: [...entries.filter((known) => !ids.has(known.case)), ...added] }
}

/**
 * Returns the baseline without the entries whose cases no longer end so. Those that have expired take from `why` what is given; entries
 * of cases that this run did not decide stay as they are.
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

/** Returns the entries that excuse how a case of a run ended, by the id of their case; empty without a baseline. */
export function excusesOf({ baseline }: Pick<Results, 'baseline'>): ReadonlyMap<string, BaselineEntry> {
  return new Map(baseline?.excused.map((entry) => [entry.case, entry]))
}

/**
 * Returns the requirements that only excused cases break or kept from their evidence: nothing that the verdict counts is wrong with
 * them, and nothing shows that they are kept.
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

/** Returns the status of a case or a requirement as it is shown: `excused` instead of what the baseline keeps from counting. */
export function shownStatus<Status extends string>(
  { id, status }: { readonly id: string; readonly status: Status },
  excused: { has(id: string): boolean },
): Status | 'excused' {
  return excused.has(id) ? 'excused' : status
}
