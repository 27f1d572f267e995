import { casesForClients } from '../../../conformance/client/index.ts'
import type { ClientTask } from '../../recordings/verify/checkClient.ts'
import { suiteOf } from '../../runner/plan/plan.ts'

export const clientSuite = suiteOf('client', casesForClients)

/** Returns the task that a case gives a client; null: there is no such case. */
export function clientTask(caseId: string): ClientTask | null {
  return casesForClients().find(({ id }) => id === caseId) ?? null
}
