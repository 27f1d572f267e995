import { BASELINE_SCHEMA, type Baseline, type BaselineEntry } from './baselineFormat.ts'
import { plural } from './plural.ts'
import { type ComparedWithBaseline, casesOf, type Results } from './results.ts'
import type { CaseVerdict } from './verdicts.ts'

/**
 * Compares a run with its baseline.
 *
 * @param today as YYYY-MM-DD
 */
export function compareWithBaseline(
  cases: readonly CaseVerdict[],
  { entries }: Baseline,
  today: string,
): ComparedWithBaseline {
  const failures = cases.filter(({ status }) => status === 'fail')
  const expired = entries.filter(({ expires }) => expires < today)
  const valid = entries.filter(({ expires }) => expires >= today)
  const compared = failures.map((failure) => {
    const entry = valid.find((known) => isOf(known, failure)) ?? null
    const added = (failure.alsoViolated ?? []).filter((id) => !entry?.alsoViolated?.includes(id))
    return { failure, entry, added, isExcused: entry !== null && added.length === 0 }
  })
  const widened = compared
    .filter(({ entry, isExcused }) => entry !== null && !isExcused)
    .map(({ failure, added }) => ({ case: failure.id, requirements: added }))
  return {
    excused: compared.flatMap(({ entry, isExcused }) => (isExcused ? (entry ?? []) : [])),
    unexcused: compared.filter(({ isExcused }) => !isExcused).map(({ failure }) => failure.id),
    ...(widened.length === 0 ? {} : { widened }),
    stale: valid.filter(
      (known) => isDecided(known.case, cases) && !failures.some((failure) => isOf(known, failure)),
    ),
    expired,
  }
}

/** Whether an entry is of a failure, whatever else the case violates. */
function isOf(known: BaselineEntry, failure: CaseVerdict): boolean {
  return (
    known.case === failure.id &&
    known.requirement === failure.requirement &&
    known.fingerprint === failure.fingerprint
  )
}

function isDecided(id: string, cases: readonly CaseVerdict[]): boolean {
  const status = cases.find((each) => each.id === id)?.status
  return status === 'pass' || status === 'fail' || status === 'observed'
}

/**
 * The baseline that excuses exactly the current failures: known entries keep their reason, new ones get `why`. Entries of
 * cases that this run did not decide stay as they are.
 */
export function updatedBaseline(
  cases: readonly CaseVerdict[],
  { entries }: Baseline,
  why: Pick<BaselineEntry, 'reason' | 'link' | 'expires'>,
): Baseline {
  const failures = cases.filter(({ status }) => status === 'fail')
  const current = failures.map((failure): BaselineEntry => {
    const { reason, link, expires } = entries.find((known) => isOf(known, failure)) ?? why
    const { id, requirement, fingerprint, alsoViolated } = failure
    return {
      case: id,
      requirement: requirement ?? '',
      fingerprint: fingerprint ?? '',
      ...(alsoViolated === undefined ? {} : { alsoViolated }),
      ...{ reason, link, expires },
    }
  })
  return {
    schema: BASELINE_SCHEMA,
    entries: [...current, ...entries.filter((known) => !isDecided(known.case, cases))],
  }
}

/** The entries that excuse a failure of a run, by the id of their case; empty without a baseline. */
export function excusesOf({ baseline }: Pick<Results, 'baseline'>): ReadonlyMap<string, BaselineEntry> {
  return new Map(baseline?.excused.map((entry) => [entry.case, entry]))
}

/**
 * The requirements that only excused cases break or kept from their evidence: nothing that the verdict counts is wrong with
 * them, and nothing shows that they are kept.
 */
export function excusedRequirements(
  run: Pick<Results, 'baseline' | 'requirements' | 'suites'>,
): ReadonlySet<string> {
  const excuses = excusesOf(run)
  if (excuses.size === 0) return new Set()
  const counted = casesOf(run).filter(({ id }) => !excuses.has(id))
  const broken = new Set(
    counted.flatMap(({ judged, failure }) => [
      ...judged.filter(({ failed }) => failed > 0).map(({ requirement }) => requirement),
      failure?.requirement,
    ]),
  )
  return new Set(
    run.requirements
      .filter(({ id, status, stoppedBy }) =>
        status === 'fail' ? !broken.has(id) : status === 'inconclusive' && excuses.has(stoppedBy ?? ''),
      )
      .map(({ id }) => id),
  )
}

/** The status of a case or a requirement as it is shown: `excused` instead of what the baseline keeps from counting. */
export function shownStatus<Status extends string>(
  { id, status }: { readonly id: string; readonly status: Status },
  excused: { has(id: string): boolean },
): Status | 'excused' {
  return excused.has(id) ? 'excused' : status
}

/** One line of what a baseline means for a run. */
export interface BaselineLine {
  /** `excused` counts the known failures; an entry that is widened, stale or expired fails the run. */
  readonly kind: 'excused' | 'widened' | 'stale' | 'expired'
  readonly text: string
}

/** What its baseline means for a run: what it excuses and until when, and each entry that must be taken out or renewed. */
export function describeBaseline({ baseline }: Pick<Results, 'baseline'>): readonly BaselineLine[] {
  if (baseline === null) return []
  const { excused, widened = [], stale, expired } = baseline
  const next = excused.map(({ expires }) => expires).sort()[0]
  return [
    ...(next === undefined
      ? []
      : [
          {
            kind: 'excused' as const,
            text: `${plural(excused.length, 'known failure')} excused by the baseline; the next entry expires after ${next}`,
          },
        ]),
    ...widened.map(({ case: id, requirements }) => ({
      kind: 'widened' as const,
      text: `${id} fails as its entry says, and also violates ${requirements.join(', ')}, which the entry does not name`,
    })),
    ...stale.map(({ case: id, fingerprint }) => ({
      kind: 'stale' as const,
      text: `${id} no longer fails like ${fingerprint}: take the entry out (--update-baseline)`,
    })),
    ...expired.map(({ case: id, expires, reason }) => ({
      kind: 'expired' as const,
      text: `the entry for ${id} ended on ${expires}: ${reason}`,
    })),
  ]
}

/** The verdict of a run in words: a run that passes only because of its baseline says so. */
export function verdictInWords({ verdict, baseline }: Pick<Results, 'verdict' | 'baseline'>): string {
  const known = baseline?.excused.length ?? 0
  return verdict === 'conforms' && known > 0
    ? `holds its baseline: ${plural(known, 'known failure')}`
    : verdict.replaceAll('-', ' ')
}

/** The verdict of a run as the heading of a report. */
export function headlineOf(run: Pick<Results, 'verdict' | 'baseline'>): string {
  const words = verdictInWords(run)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
