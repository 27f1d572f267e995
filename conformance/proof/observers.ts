import { allRequirements, type RequirementId } from '../../src/spec/requirements/index.ts'
import { judgesAMust } from './matrix.ts'
import type { Suite } from './prove.ts'
import type { VariantVerdict } from './variants.ts'

/** Points that the specification leaves open, and of which every service that the suite can reach shows the same. */
const ALWAYS_ALIKE: Readonly<Partial<Record<RequirementId, string>>> = {
  'confirm.states': 'the case asks for 202 and then 200, and writes down that it saw them',
  'auth.keys.issuing': 'keys are issued before the run, outside of the interface',
  'confirm.budget.size':
    'how many reports fit differs from run to run where time is real: only that they end is written',
  'build.may-differ-from-quote': 'the case moves the pool, so that they must differ',
  'partner-report.endpoint': 'a report elsewhere is not found, and the cases of the report need it',
}

/** What is written down and never judged: whether the writing follows what a service does. */
export interface Observed {
  /** Open points of which no check has written down a difference between the reference and a variant. */
  readonly unobserved: readonly RequirementId[]
  /** Checks that only write down, and have written the same of every service. */
  readonly blind: readonly string[]
}

/** @param cases Those that were put to every variant that differs in what they list. */
export function observersOf(cases: Suite, verdicts: readonly VariantVerdict[]): Observed {
  const differences = verdicts.flatMap((verdict) => verdict.differences)
  const open = allRequirements().filter(({ level }) => level === 'silent' || level === 'may')
  return {
    unobserved: open
      .map(({ id }) => id)
      .filter((id) => !(id in ALWAYS_ALIKE) && !differences.some(({ requirement }) => requirement === id)),
    blind: cases
      .filter(
        (check) => !judgesAMust(check) && !differences.some((difference) => difference.check === check.id),
      )
      .map(({ id }) => id),
  }
}
