import { expect } from 'vitest'
import { buildResponseSchema, quoteResponseSchema } from '../../spec/wire.ts'
import { readConfig } from '../config.ts'
import { startService } from '../main.ts'
import { AT, TEST_MANIFEST } from './manifest.ts'
import { type Misanswer, startScriptedNode } from './scriptedNode.ts'

/** The endpoints that read the chain. */
export const ENDPOINTS = ['quote', 'build', 'confirm', 'health'] as const
export type Endpoint = (typeof ENDPOINTS)[number]

export interface EndpointAnswer {
  readonly endpoint: Endpoint
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface MisansweredService {
  /** Sends a request to each of the endpoints concurrently, while the node responds as given. */
  ask(misanswer: Misanswer, endpoints?: readonly Endpoint[]): Promise<readonly EndpointAnswer[]>
  /** Limits the time of later round trips. */
  hurry(timeoutMs: number): void
  stop(): Promise<void>
}

/** Returns a service on its own scripted node, with a build whose transaction can be confirmed. */
export async function serveMisanswered(): Promise<MisansweredService> {
  const node = await startScriptedNode()
  const config = readConfig({ PORT: '0', RPC_URL: node.url, LOG_LEVEL: 'silent', BUDGET_REQUESTS: '1000000' })
  const policy = { ...config.policy }
  const service = await startService({ ...config, policy }, TEST_MANIFEST)
  const { key } = await service.partners.issueKey({ partnerId: 'acme', kind: 'individual' })
  const fetchOf = (path: string, body?: object) =>
    fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  let buildId = ''
  let quotes = 0
  const requests: Readonly<Record<Endpoint, () => Promise<Response>>> = {
    quote: () => {
      // A different amount each time: an identical quote within 1.5 s may be memoized.
      quotes += 1
      return fetchOf(
        `/api/v1/quote?from=ETH&to=USDG&amount=1.${String(quotes).padStart(6, '0')}&preferEngine=venue_a`,
      )
    },
    build: () =>
      fetchOf('/api/v1/swap/build', {
        from: 'ETH',
        to: 'USDG',
        amount: 1,
        sender: AT.sender,
        preferEngine: 'venue_a',
      }),
    confirm: () => fetchOf('/api/v1/swap/confirm', { buildId, txHash: node.txHash }),
    health: () => fetchOf('/healthz'),
  }
  /** Creates the build to report next: a recorded one is not looked up again. */
  const prepare = async (): Promise<void> => {
    node.misanswer = null
    const { tx, attribution } = buildResponseSchema.parse(await (await requests.build()).json())
    buildId = attribution?.buildId ?? ''
    node.mine(tx)
  }
  await prepare()

  return {
    async ask(misanswer, endpoints = ENDPOINTS) {
      node.misanswer = misanswer
      const answers = await Promise.all(
        endpoints.map(async (endpoint) => {
          const response = await requests[endpoint]()
          const body: unknown = await response.json()
          return { endpoint, status: response.status, headers: response.headers, body }
        }),
      )
      if (answers.some(({ endpoint, status }) => endpoint === 'confirm' && status === 200)) await prepare()
      return answers
    },
    hurry(timeoutMs) {
      Object.assign(policy, {
        fanOutTimeoutMs: timeoutMs,
        venueTimeoutMs: timeoutMs,
        rpcTimeoutMs: timeoutMs,
      })
    },
    async stop() {
      await service.stop()
      node.close()
    },
  }
}

/** Statuses that the specification's tables allow while the node misbehaves, and their bodies where it defines them. */
const ALLOWED: Readonly<Record<Endpoint, Readonly<Record<number, unknown>>>> = {
  quote: { 200: null, 502: { error: 'quote failed' } },
  build: { 200: null, 422: { error: 'no executable route' }, 502: { error: 'build failed' } },
  confirm: {
    200: { recorded: true, alreadyRecorded: false },
    202: null,
    422: { error: expect.any(String) },
    503: { error: 'verification or storage temporarily unavailable' },
  },
  health: { 200: { status: 'ok' }, 503: { error: 'the chain or the store cannot be used' } },
}

export function expectAllowed(answers: readonly EndpointAnswer[]): void {
  for (const { endpoint, status, headers, body } of answers) {
    expect(Object.keys(ALLOWED[endpoint]), endpoint).toContain(String(status))
    const wanted = ALLOWED[endpoint][status]
    if (wanted !== null) expect(body).toEqual(wanted)
    if (status === 202 || status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    if (endpoint === 'quote' && status === 200) quoteResponseSchema.parse(body)
    if (endpoint === 'build' && status === 200) buildResponseSchema.parse(body)
  }
}
