import type { Capability, Need } from '../spec/requirements/index.ts'
import type { Environment, Power } from '../targets/environment.ts'
import type { Check } from './suite.ts'

/** One test case for any implementation. */
export interface Case extends Check<Environment> {
  /** How far the case must reach. Default: a sandbox. */
  readonly needs?: Need
  readonly powers?: readonly Power[]
  /** Capabilities that the case needs although its requirements do not. */
  readonly capabilities?: readonly Capability[]
  /** Why the case can be put to a service in this process alone. */
  readonly inside?: string
}
