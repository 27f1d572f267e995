import { conformanceCases } from '../../../conformance/index.ts'
import type { Suite } from '../../runner/plan/plan.ts'

/** The conformance cases, for whoever needs them before anything is run: what every target is tested with. */
export const conformanceSuite: Suite = {
  name: 'conformance',
  cases: (ids) => conformanceCases().filter(({ id }) => ids?.has(id) ?? true),
}
