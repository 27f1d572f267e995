import { z } from 'zod'
import { isRequirementId } from '../spec/requirements/index.ts'
import type { CaseVerdict } from './verdicts.ts'

/** The version of the baseline file's format. */
export const BASELINE_SCHEMA = 'plumbline-baseline/1'

const entry = z.strictObject({
  /** The case that fails, the requirement that it breaks, and the fingerprint of how. */
  case: z.string().min(1),
  requirement: z
    .string()
    .refine((id): boolean => isRequirementId(id), 'is no requirement; see `plumbline list`'),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits'),
  /** Why it is not fixed yet, and where the work on it is followed. */
  reason: z.string().min(1, 'must say why'),
  link: z.url(),
  /** The last day on which the failure is excused. */
  expires: z.iso.date(),
})

export const baselineSchema = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  entries: z.array(entry),
})

export type Baseline = z.infer<typeof baselineSchema>
export type BaselineEntry = Baseline['entries'][number]

/** A run beside its baseline. */
export interface Compared {
  /** Failures that an entry excuses. */
  readonly excused: readonly CaseVerdict[]
  /** Failures that none excuses: new ones, or others than the known ones of the same case. */
  readonly unexcused: readonly CaseVerdict[]
  /** Entries whose failure did not come about though its case was put: the baseline must shrink. */
  readonly stale: readonly BaselineEntry[]
  /** Entries past their last day; they excuse nothing. */
  readonly expired: readonly BaselineEntry[]
}

/**
 * Holds a run against its baseline.
 *
 * @param today as YYYY-MM-DD
 */
export function compareWithBaseline(
  cases: readonly CaseVerdict[],
  { entries }: Baseline,
  today: string,
): Compared {
  const failures = cases.filter(({ status }) => status === 'fail')
  const expired = entries.filter(({ expires }) => expires < today)
  const valid = entries.filter(({ expires }) => expires >= today)
  const excuses = (known: BaselineEntry, failure: CaseVerdict) =>
    known.case === failure.id &&
    known.requirement === failure.requirement &&
    known.fingerprint === failure.fingerprint
  const put = new Map(cases.map(({ id, status }) => [id, status]))
  return {
    excused: failures.filter((failure) => valid.some((known) => excuses(known, failure))),
    unexcused: failures.filter((failure) => !valid.some((known) => excuses(known, failure))),
    stale: valid.filter(
      (known) =>
        ['pass', 'fail', 'observed'].includes(put.get(known.case) ?? '') &&
        !failures.some((failure) => excuses(known, failure)),
    ),
    expired,
  }
}

/** The baseline that excuses exactly what fails now: known entries are kept as they are, new ones get `why`. */
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
