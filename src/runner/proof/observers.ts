import { allRequirements, type RequirementId } from '../../spec/requirements/index.ts'
import type { Case } from '../cases/case.ts'
import { canFail } from './matrix.ts'
import type { VariantVerdict } from './variants.ts'

/** Open points that look the same to the suite for every service, with the reason. */
const ALWAYS_ALIKE: Readonly<Partial<Record<RequirementId, string>>> = {
  'confirm.states': 'the case waits for 202 and then 200, and records that it got them',
  'auth.keys.issuing': 'keys are issued before the run, outside of the interface',
  'build.may-differ-from-quote': 'the case moves the pool, so the two must differ',
}

/** Findings on whether the values that cases record without judging depend on the service. */
export interface Observed {
  /** Open points under which no case recorded a difference between the reference and a variant. */
  readonly unobserved: readonly RequirementId[]
  /** Cases that only record, and recorded the same for every service. */
  readonly blind: readonly string[]
}

/** Finds what no case observes. @param cases those that were run against every variant that differs in a requirement they list. */
export function observersOf(cases: readonly Case[], verdicts: readonly VariantVerdict[]): Observed {
  const differences = verdicts.flatMap((verdict) => verdict.differences)
  const open = allRequirements().filter(({ level }) => level === 'silent' || level === 'may')
  return {
    unobserved: open
      .map(({ id }) => id)
      .filter((id) => !(id in ALWAYS_ALIKE) && !differences.some(({ requirement }) => requirement === id)),
    blind: cases
      .filter((one) => !canFail(one) && !differences.some((difference) => difference.case === one.id))
      .map(({ id }) => id),
  }
}
