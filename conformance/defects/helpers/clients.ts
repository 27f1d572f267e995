import type { ClientSeams } from '../../../src/client/inProcessProgram.ts'
import type { ClientPorts } from '../../../src/client/reference/ports.ts'
import type { ClientRules } from '../../../src/client/reference/rules.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import type { HttpResponse } from '../../../src/spec/exchange.ts'
import type { RequirementId } from '../../../src/spec/requirements/index.ts'

/** A difference of a client from the reference; a function changes its rules alone. */
export type ClientChange = ClientSeams | NonNullable<ClientSeams['rules']>

export const clientSeamsOf = (change: ClientChange): ClientSeams =>
  typeof change === 'function' ? { rules: change } : change

/** Known-broken clients of one kind: by id, the duty that they break, the mistake, and how the reference client is changed. */
export function brokenClients(
  rows: Readonly<Record<string, readonly [breaks: RequirementId, title: string, change: ClientChange]>>,
): readonly Defect[] {
  return Object.entries(rows).map(([id, [breaks, title, change]]) => ({
    ...{ id, breaks, title, client: clientSeamsOf(change) },
    seams: {},
  }))
}

/** Changes the pause after a response with a status; the usual pause comes last. */
export const afterStatus =
  (
    status: number,
    pauseMs: (attempt: number, response: HttpResponse, usualMs: number | null) => number | null,
  ): ClientChange =>
  (rules) => ({
    pauseMs: (attempt, response, nowMs) => {
      const usualMs = rules.pauseMs(attempt, response, nowMs)
      return response?.status === status ? pauseMs(attempt, response, usualMs) : usualMs
    },
  })

/** Changes what responses of an endpoint with some statuses mean. */
export const meaningOf =
  (
    endpoint: Parameters<ClientRules['meaning']>[0],
    statuses: readonly number[],
    meaning: ReturnType<ClientRules['meaning']>,
  ): ClientChange =>
  (rules) => ({
    meaning: (on, status) =>
      on === endpoint && statuses.includes(status) ? meaning : rules.meaning(on, status),
  })

/** Changes each response of the service before the client reads it. */
export const readingResponses = (change: (response: HttpResponse) => HttpResponse): ClientSeams => ({
  ports: ({ http }) => ({ http: async (request) => change(await http(request)) }),
})

/** A call of a client to its node; `send` carries it out. */
interface NodeCall {
  readonly method: string
  readonly params: readonly unknown[]
  send(): Promise<unknown>
}

/** Changes what the calls of a client to its node do and return. */
export const callingNode =
  (make: (ports: ClientPorts) => (call: NodeCall) => Promise<unknown>): NonNullable<ClientSeams['ports']> =>
  (ports) => {
    const call = make(ports)
    const request = <Result>(method: string, params: readonly unknown[] = []) =>
      call({ method, params, send: () => ports.rpc.request(method, params) }) as Promise<Result>
    return { rpc: { ...ports.rpc, request } }
  }
