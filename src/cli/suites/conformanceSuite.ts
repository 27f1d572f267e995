import { conformanceCases } from '../../../conformance/index.ts'
import { suiteOf } from '../../runner/plan/plan.ts'

/** The conformance cases, in a module of their own, so that callers can load them without the other suites. */
export const conformanceSuite = suiteOf('conformance', conformanceCases)
