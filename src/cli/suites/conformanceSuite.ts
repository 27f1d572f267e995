import { conformanceCases } from '../../../conformance/index.ts'
import { suiteOf } from '../../runner/plan/plan.ts'

/** The conformance cases, for whoever needs them before anything is run: what every target is tested with. */
export const conformanceSuite = suiteOf('conformance', conformanceCases)
