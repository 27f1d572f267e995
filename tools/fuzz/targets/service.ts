import { METHODS } from 'node:http'
import { text } from 'node:stream/consumers'
import { PARTNER_KEYS } from '../../../src/fixtures/partners.ts'
import { prepareSwap, sendSwap } from '../../../src/runner/executeBuild.ts'
import type { Json } from '../../../src/runner/families/shrinkJson.ts'
import { createHttpChain, type InProcessService } from '../../../src/service/testing.ts'
import { createWorld } from '../../../src/simulation/world/world.ts'
import { LIMITS } from '../../../src/spec/limits.ts'
import { type BuildResponse, buildResponseSchema, quoteResponseSchema } from '../../../src/spec/wire.ts'
import { worldClient } from '../../../src/targets/environment/inProcess.ts'
import { serve } from '../../../src/targets/testing/misbehaving.ts'
import { assert } from '../target.ts'

/** A request as given by an input. A query or body that is not text is encoded as a client would. */
export interface RequestInput {
  readonly method?: unknown
  readonly path?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

/** The reference service on a node whose responses can be replaced. */
export interface FuzzedService {
  readonly node: ScriptedNode
  /** Valid requests, by name. */
  readonly requests: Readonly<Record<string, Json>>
  /**
   * Sends a request and checks the properties of every response.
   *
   * @throws {BrokenPropertyError}
   */
  send(request: RequestInput): Promise<number>
  stop(): Promise<void>
}

const SEED = 1
/** Longer than a memo lasts, so that no input gets the response to another. */
const BETWEEN_MS = 2_000
/** Failures that §7 and the documented choices allow, by path; any other 5xx is a bug. */
const FAILURES: Readonly<Record<string, readonly [status: number, error: string]>> = {
  '/api/v1/quote': [502, 'quote failed'],
  '/api/v1/swap/build': [502, 'build failed'],
  '/api/v1/swap/confirm': [503, 'verification or storage temporarily unavailable'],
  '/api/v1/partner/report': [503, 'storage temporarily unavailable'],
  '/healthz': [503, 'the chain or the store cannot be used'],
}
const LEAK = /\bat .+:\d+:\d+|node_modules|[TR]\w+Error:/

/** Starts a world and makes a swap that can be reported. */
export async function startFuzzedService(): Promise<FuzzedService> {
  const world = await createWorld({ seed: SEED })
  const node = await startScriptedNode(world.manifest.rpcUrl)
  const chain = createHttpChain(node.url, LIMITS.chainId)
  const bugs: unknown[] = []
  await world.reset(SEED, {
    deps: (deps) => ({
      ...deps,
      chain,
      log: { ...deps.log, error: (_event, fields) => bugs.push(fields?.error) },
    }),
  })
  const body = {
    from: 'ETH',
    to: 'USDG',
    amount: 0.5,
    sender: world.address('alice'),
    preferEngine: 'venue_a',
  }
  const { json } = await worldClient(world).build(body)
  const build = json as BuildResponse
  const tokenIn = world.manifest.registry.find(({ symbol }) => symbol === 'ETH')?.address ?? '0x'
  await prepareSwap(world, 'alice', tokenIn, build)
  const swap = await sendSwap(world, 'alice', build)
  await world.mine(LIMITS.confirmations + 1)
  const requests = requestsFor(world.manifest.otherTokens[0], body, {
    buildId: build.attribution?.buildId ?? '',
    txHash: swap.hash,
  })

  const send = async (input: RequestInput): Promise<number> => {
    const request = requestOf(input)
    if (request === null) return 0
    bugs.length = 0
    world.clock.advanceBy(BETWEEN_MS)
    const answer = await world.app.inject(request)
    const [bug] = bugs
    if (bug instanceof Error) throw bug
    assertAnswer(request, answer)
    return answer.statusCode
  }
  for (const [name, request] of Object.entries(requests)) {
    const status = await send(request as RequestInput)
    assert(status === 200, `the request ${name} is answered with ${status} as it is`)
  }
  return {
    node,
    requests,
    send,
    stop: async () => {
      chain.close()
      await node.stop()
      await world.stop()
    },
  }
}

function requestsFor(
  outside: { readonly symbol: string; readonly address: string; readonly decimals: number } | undefined,
  build: Readonly<Record<string, string | number>>,
  report: Readonly<Record<string, string>>,
): Readonly<Record<string, Json>> {
  const { sender = '' } = build
  const { symbol = '', address = '', decimals = 0 } = outside ?? {}
  const headers = { authorization: `Bearer ${PARTNER_KEYS.one.secret}` }
  const trade = { from: 'ETH', to: 'USDG', sender }
  const fee = { slippageBps: 50, partnerFeeBps: 25, partnerFeeRecipient: sender }
  const named = { from: 'USDG', to: symbol, amount: 10, toAddress: address, toDecimals: decimals }
  const get = (path: string, query = {}) => ({ method: 'GET', path, query, headers, body: null })
  const post = (path: string, body: Json) => ({
    ...{ method: 'POST', path, query: {}, body },
    headers: { ...headers, 'content-type': 'application/json' },
  })
  return {
    quote: get('/api/v1/quote', { ...trade, amount: 1, ...fee }),
    'quote-outside': get('/api/v1/quote', { ...named, fromPriceUsd: 1, toPriceUsd: 2 }),
    build: post('/api/v1/swap/build', { ...build, ...fee }),
    'build-all': post('/api/v1/swap/build', { ...trade, amount: 0.1 }),
    confirm: post('/api/v1/swap/confirm', report),
    report: get('/api/v1/partner/report'),
    health: get('/healthz'),
    openapi: get('/openapi.json'),
  }
}

type Injected = Parameters<InProcessService['inject']>[0]
type Answered = Awaited<ReturnType<InProcessService['inject']>>

/** Returns the request that an input describes, as far as a client could send it; null: it could not. */
function requestOf({ method, path, query, headers, body }: RequestInput): Injected | null {
  try {
    return {
      method: (METHODS.includes(String(method)) ? String(method) : 'GET') as Injected['method'],
      url: `/${sendable(String(path).replace(/^\/+/, ''))}${queryOf(query)}`,
      headers: headersOf(headers),
      ...(body === null || body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
  } catch {
    // A lone surrogate has no UTF-8 bytes, and this side cannot write a text that is too deep.
    return null
  }
}

/** Encodes characters that no HTTP client sends in an address. */
function sendable(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))
}

function queryOf(query: unknown): string {
  if (typeof query === 'string') return `?${sendable(query)}`
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (each) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(typeof each === 'object' ? JSON.stringify(each) : String(each))}`,
    ),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(headers: unknown): Record<string, string> {
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value !== 'object'
        ? [[name, String(value).replace(/[^\x20-\x7e\x80-\xff]/g, '')]]
        : [],
    ),
  )
}

/** @throws {BrokenPropertyError} */
function assertAnswer({ method, url }: Injected, { statusCode, headers, body }: Answered): void {
  const path = url.split('?', 1)[0] ?? ''
  assert(
    !LEAK.test(body) || path === '/openapi.json',
    `${statusCode} at ${path} shows internals of the service: ${body.slice(0, 200)}`,
  )
  // The response to HEAD has no body.
  if (method === 'HEAD') return
  if (statusCode < 400) {
    if (statusCode === 200) assertServed(path, body)
    return
  }
  assert(
    String(headers['content-type']).startsWith('application/json'),
    `${statusCode} at ${path} is not JSON`,
  )
  const refusal: unknown = JSON.parse(body)
  const members = typeof refusal === 'object' && refusal !== null ? Object.entries(refusal) : []
  const [[name, error] = []] = members
  assert(
    members.length === 1 && name === 'error' && typeof error === 'string' && error.length > 0,
    `${statusCode} at ${path} is not { error }: ${body.slice(0, 200)}`,
  )
  if (statusCode < 500) return
  const [status, words] = FAILURES[path] ?? []
  assert(statusCode === status && error === words, `${statusCode} at ${path}: ${error}`)
}

/** @throws {BrokenPropertyError} */
function assertServed(path: string, body: string): void {
  const schema = { '/api/v1/quote': quoteResponseSchema, '/api/v1/swap/build': buildResponseSchema }[path]
  if (schema === undefined) return
  const parsed = schema.safeParse(JSON.parse(body))
  assert(parsed.success, `200 at ${path} has another shape: ${parsed.error?.issues[0]?.message}`)
}

/** A proxy node between the service and the real node, which can replace responses. */
interface ScriptedNode {
  readonly url: string
  /** Texts sent instead of the next responses, in order; null: the real node's response. */
  instead: (string | null)[]
  /** Returns the real node's responses since the last call. */
  look(): Json[]
  stop(): Promise<void>
}

/** @param rpcUrl the real node. */
async function startScriptedNode(rpcUrl: string): Promise<ScriptedNode> {
  const answers: Json[] = []
  const headers = { 'content-type': 'application/json' }
  const answer = async (body: string): Promise<string> => {
    const scripted = node.instead.shift() ?? null
    if (scripted !== null) return scripted
    const answered = await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
    answers.push(JSON.parse(answered))
    return answered
  }
  const { url, stop } = await serve((request, response) => {
    text(request)
      .then(answer)
      .then(
        (answered) => response.writeHead(200, headers).end(answered),
        (error: Error) => response.destroy(error),
      )
  })
  const node: ScriptedNode = { url, instead: [], look: () => answers.splice(0), stop }
  return node
}
