import { casesForClients } from '../../../conformance/client/index.ts'
import type { Suite } from '../../runner/plan/plan.ts'

/** The cases for clients. */
export const clientSuite: Suite = {
  name: 'client',
  cases: (ids) => casesForClients().filter(({ id }) => ids?.has(id) ?? true),
}
