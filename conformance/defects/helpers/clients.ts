import type { ClientSeams } from '../../../src/client/inProcessProgram.ts'
import type { ClientRules } from '../../../src/client/reference/rules.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import type { HttpResponse } from '../../../src/spec/exchange.ts'
import type { RequirementId } from '../../../src/spec/requirements/index.ts'

/** Known-broken clients of one kind: by id, the duty that they break, the mistake, and how the reference client is changed. */
export function brokenClients(
  rows: Readonly<Record<string, readonly [breaks: RequirementId, title: string, client: ClientSeams]>>,
): readonly Defect[] {
  return Object.entries(rows).map(([id, [breaks, title, client]]) => ({
    ...{ id, breaks, title, client },
    seams: {},
  }))
}

/** Changes the pause after a response with a status; the usual pause comes last. */
export const afterStatus = (
  status: number,
  pauseMs: (attempt: number, response: HttpResponse, usualMs: number | null) => number | null,
): ClientSeams => ({
  rules: (rules) => ({
    pauseMs: (attempt, response, nowMs) => {
      const usualMs = rules.pauseMs(attempt, response, nowMs)
      return response?.status === status ? pauseMs(attempt, response, usualMs) : usualMs
    },
  }),
})

/** Changes what responses of an endpoint with some statuses mean. */
export const meaningOf = (
  endpoint: Parameters<ClientRules['meaning']>[0],
  statuses: readonly number[],
  meaning: ReturnType<ClientRules['meaning']>,
): ClientSeams => ({
  rules: (rules) => ({
    meaning: (on, status) =>
      on === endpoint && statuses.includes(status) ? meaning : rules.meaning(on, status),
  }),
})
