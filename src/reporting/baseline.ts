import { BASELINE_SCHEMA, type Baseline, type BaselineEntry } from './baselineFormat.ts'
import type { ComparedWithBaseline } from './results.ts'
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
  const excuses = (known: BaselineEntry, failure: CaseVerdict) =>
    known.case === failure.id &&
    known.requirement === failure.requirement &&
    known.fingerprint === failure.fingerprint
  const ran = new Map(cases.map(({ id, status }) => [id, status]))
  return {
    excused: idsOf(failures.filter((failure) => valid.some((known) => excuses(known, failure)))),
    unexcused: idsOf(failures.filter((failure) => !valid.some((known) => excuses(known, failure)))),
    stale: valid.filter(
      (known) =>
        ['pass', 'fail', 'observed'].includes(ran.get(known.case) ?? '') &&
        !failures.some((failure) => excuses(known, failure)),
    ),
    expired,
  }
}

/** The baseline that excuses exactly the current failures: known entries are kept, new ones get `why`. */
export function updatedBaseline(
  cases: readonly CaseVerdict[],
  { entries }: Baseline,
  why: Pick<BaselineEntry, 'reason' | 'link' | 'expires'>,
): Baseline {
  const known = new Map(entries.map((each) => [`${each.case}/${each.requirement}/${each.fingerprint}`, each]))
  const failures = cases.filter(({ status }) => status === 'fail')
  return {
    schema: BASELINE_SCHEMA,
    entries: failures.map(({ id, requirement, fingerprint }) => {
      const key = `${id}/${requirement}/${fingerprint}`
      return (
        known.get(key) ?? { case: id, requirement: requirement ?? '', fingerprint: fingerprint ?? '', ...why }
      )
    }),
  }
}

function idsOf(cases: readonly CaseVerdict[]): string[] {
  return cases.map(({ id }) => id)
}
