import { describe, expect, it } from 'vitest'
import {
  AlreadyAttributedError,
  BuildNotFoundError,
  ChainUnavailableError,
  InvalidRequestError,
  NoExecutableRouteError,
  StoreUnavailableError,
  TransactionRejectedError,
} from '../errors.ts'
import { type DomainChanges, type FakeApp, fakeApps, KEY, WITH_KEY } from '../testing/fakeDomain.ts'

const SENDER = '0x00000000000000000000000000000000000000aa'
const GET_QUOTE = { method: 'GET', url: '/api/v1/quote?from=ETH&to=USDG&amount=1' } as const
const POST_BUILD = {
  method: 'POST',
  url: '/api/v1/swap/build',
  payload: { from: 'ETH', to: 'USDG', amount: 1, sender: SENDER },
} as const
const POST_CONFIRM = {
  method: 'POST',
  url: '/api/v1/swap/confirm',
  payload: { buildId: '11111111-2222-4333-8444-555555555555', txHash: `0x${'ab'.repeat(32)}` },
} as const
const GET_REPORT = { method: 'GET', url: '/api/v1/partner/report' } as const
const GET_HEALTH = { method: 'GET', url: '/healthz' } as const
const EVERY = [GET_QUOTE, POST_BUILD, POST_CONFIRM, GET_REPORT, GET_HEALTH]
const KEYED = [GET_QUOTE, POST_BUILD, POST_CONFIRM, GET_REPORT]

const serving = await fakeApps()
let service: FakeApp

function send(changes: DomainChanges, request: object, headers: object = WITH_KEY) {
  service = serving(changes)
  return service.app.inject({ ...request, headers: { ...headers } })
}

const throwing = (error: unknown) => async () => {
  throw error
}

it('answers a report that is pending with 202 and the time to retry', async () => {
  const pending = { reason: 'the block is not deep enough', confirmations: 11, retryAfterS: 2 }
  const answer = await send({ confirm: async () => ({ pending }) }, POST_CONFIRM)
  expect(answer.statusCode).toBe(202)
  expect(answer.headers['retry-after']).toBe('2')
  expect(answer.json()).toEqual({
    recorded: false,
    alreadyRecorded: false,
    reason: 'the block is not deep enough',
    confirmations: 11,
  })
})

describe('an error of the domain', () => {
  const chain = new ChainUnavailableError('no answer at http://secret.example')
  const store = new StoreUnavailableError('refused at postgres://secret.example')

  it.each([
    [
      'quote',
      GET_QUOTE,
      new InvalidRequestError('to', 'is the same token as from'),
      400,
      'to: is the same token as from',
    ],
    ['quote', GET_QUOTE, chain, 502, 'quote failed'],
    ['quote', GET_QUOTE, store, 502, 'quote failed'],
    ['quote', GET_QUOTE, new TypeError('oops'), 500, 'internal error'],
    ['quote', GET_QUOTE, 'a string', 500, 'internal error'],
    ['quote', GET_QUOTE, undefined, 500, 'internal error'],
    [
      'build',
      POST_BUILD,
      new InvalidRequestError('amount', 'is zero base units'),
      400,
      'amount: is zero base units',
    ],
    ['build', POST_BUILD, new NoExecutableRouteError({ venue_a: 'reverted' }), 422, 'no executable route'],
    ['build', POST_BUILD, chain, 502, 'build failed'],
    ['build', POST_BUILD, store, 502, 'build failed'],
    ['build', POST_BUILD, new TypeError('oops'), 500, 'internal error'],
    ['confirm', POST_CONFIRM, new BuildNotFoundError('x'), 404, 'no build of this id belongs to this key'],
    [
      'confirm',
      POST_CONFIRM,
      new AlreadyAttributedError('build'),
      409,
      'the build is already attributed elsewhere',
    ],
    ['confirm', POST_CONFIRM, new TransactionRejectedError('reverted', 'it reverted'), 422, 'it reverted'],
    ['confirm', POST_CONFIRM, chain, 503, 'verification or storage temporarily unavailable'],
    ['confirm', POST_CONFIRM, store, 503, 'verification or storage temporarily unavailable'],
    ['confirm', POST_CONFIRM, new TypeError('oops'), 500, 'internal error'],
    ['report', GET_REPORT, store, 503, 'storage temporarily unavailable'],
    ['report', GET_REPORT, new TypeError('oops'), 500, 'internal error'],
    ['check', GET_HEALTH, chain, 503, 'the chain or the store cannot be used'],
    ['check', GET_HEALTH, new TypeError('oops'), 500, 'internal error'],
  ])('of %s (%o, %s) is %i with the body { error }', async (part, request, error, status, message) => {
    const answer = await send({ [part]: throwing(error) }, request)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ error: message })
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined)
  })

  it.each(KEYED)('while the caller is looked up is that of the endpoint: $url', async (request) => {
    const answer = await send({ authenticate: throwing(store) }, request)
    expect(answer.statusCode).toBe(request === GET_QUOTE || request === POST_BUILD ? 502 : 503)
  })

  it('is logged with its stack when it is a bug, and as a warning when something is away', async () => {
    await send({ quote: throwing(new TypeError('oops')) }, GET_QUOTE)
    expect(service.lines).toContainEqual({
      level: 'error',
      event: 'bug',
      fields: { requestId: expect.any(String), endpoint: 'quote', error: expect.any(TypeError) },
    })
    await send({ build: throwing(chain) }, POST_BUILD)
    expect(service.lines).toContainEqual({
      level: 'warn',
      event: 'build.unavailable',
      fields: { requestId: expect.any(String), error: chain },
    })
  })

  it('keeps the reasons of each venue in the log', async () => {
    await send({ build: throwing(new NoExecutableRouteError({ venue_a: 'reverted' })) }, POST_BUILD)
    expect(service.lines).toContainEqual(
      expect.objectContaining({
        event: 'build.no-executable-route',
        fields: expect.objectContaining({ reasons: { venue_a: 'reverted' } }),
      }),
    )
  })
})

describe('authentication', () => {
  it.each(KEYED)('is asked for by $url', async (request) => {
    const answer = await send({}, request, {})
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ error: expect.any(String) })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(service.calls).toEqual([])
  })

  it.each([GET_QUOTE, POST_BUILD, POST_CONFIRM])(
    'comes before the rest of the request is read: $url',
    async (request) => {
      const broken = request.method === 'GET' ? { url: '/api/v1/quote' } : { payload: '{' }
      const answer = await send({}, { ...request, ...broken }, { 'content-type': 'application/json' })
      expect(answer.statusCode).toBe(401)
    },
  )
})

describe('the budget of confirm', () => {
  const exhausted = { spendBudget: async () => ({ spent: 121, resetsAtMs: 1_700_000_000_000 + 30_500 }) }

  it('is spent by the partner of the key, in the time of the clock', async () => {
    await send({}, POST_CONFIRM)
    expect(service.calls[0]).toEqual({
      name: 'spendBudget',
      request: { partnerId: 'partner', nowMs: 1_700_000_000_000, windowMs: 60_000 },
    })
  })

  it('is not exceeded by the last request that it has', async () => {
    const last = async () => ({ spent: 120, resetsAtMs: 1_700_000_000_000 + 1 })
    const answer = await send({ spendBudget: last }, POST_CONFIRM)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['x-ratelimit-remaining']).toBe('0')
  })

  it('when exceeded answers 429 and when to come back, and asks nothing more', async () => {
    const answer = await send(exhausted, POST_CONFIRM)
    expect(answer.statusCode).toBe(429)
    expect(answer.headers['retry-after']).toBe('31')
    expect(answer.json()).toEqual({ error: expect.any(String) })
    expect(service.calls.map(({ name }) => name)).toEqual(['spendBudget'])
  })

  it('names at least a second when the window ends now', async () => {
    const now = async () => ({ spent: 121, resetsAtMs: 1_700_000_000_000 })
    expect((await send({ spendBudget: now }, POST_CONFIRM)).headers['retry-after']).toBe('1')
  })

  it('is checked before the body and after the key', async () => {
    const broken = { ...POST_CONFIRM, payload: '{' }
    const json = { 'content-type': 'application/json' }
    expect((await send(exhausted, broken, { ...WITH_KEY, ...json })).statusCode).toBe(429)
    expect((await send(exhausted, broken, json)).statusCode).toBe(401)
    expect(service.calls).toEqual([])
  })

  it('is 503 when it cannot be counted', async () => {
    const answer = await send({ spendBudget: throwing(new StoreUnavailableError('down')) }, POST_CONFIRM)
    expect(answer.statusCode).toBe(503)
  })

  it.each([GET_QUOTE, POST_BUILD, GET_REPORT, GET_HEALTH])('is not spent by $url', async (request) => {
    const answer = await send(exhausted, request)
    expect(answer.statusCode).toBe(200)
    expect(service.calls.map(({ name }) => name)).not.toContain('spendBudget')
  })
})

describe('headers', () => {
  it.each(EVERY)('of $url forbid caches, good or bad', async (request) => {
    const expected = request === GET_QUOTE ? 'private, no-store' : 'no-store'
    expect((await send({}, request)).headers['cache-control']).toBe(expected)
    const failing = throwing(new TypeError('oops'))
    const changes = { quote: failing, build: failing, confirm: failing, report: failing, check: failing }
    const bad = await send(changes, request)
    expect(bad.statusCode).toBe(500)
    expect(bad.headers['cache-control']).toBe(expected)
    expect((await send({}, request, {})).headers['cache-control']).toBe(expected)
  })

  it('carry the id of the request and the time of the ports, not those of the machine', async () => {
    const answer = await send({}, GET_QUOTE)
    expect(answer.headers.date).toBe('Tue, 14 Nov 2023 22:13:20 GMT')
    expect(answer.headers['x-request-id']).toMatch(/^00000000-0000-4000-8000-/)
    const next = await service.app.inject(GET_HEALTH)
    expect(next.headers['x-request-id']).not.toBe(answer.headers['x-request-id'])
  })
})

describe('the address /', () => {
  it('names every endpoint as the OpenAPI document does, without a key', async () => {
    const answer = await send({}, { method: 'GET', url: '/' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ chainId: 4663, openapi: '/openapi.json' })
    expect(Object.keys(answer.json().endpoints)).toEqual([
      'GET /api/v1/quote',
      'POST /api/v1/swap/build',
      'POST /api/v1/swap/confirm',
      'GET /api/v1/partner/report',
      'GET /healthz',
    ])
  })
})

describe('what is not there', () => {
  it.each([
    '/api/v1/quotes',
    '/api/v2/quote',
    '/API/v1/quote',
    '/api/v1/quote/',
    '/api/v1/swap/',
    '/constructor',
  ])('%s is 404', async (url) => {
    const answer = await send({}, { method: 'GET', url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: `there is nothing at ${url}` })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['POST', '/api/v1/quote?from=ETH', 'GET, HEAD'],
    ['DELETE', '/api/v1/quote', 'GET, HEAD'],
    ['GET', '/api/v1/swap/build', 'POST'],
    ['PUT', '/api/v1/swap/confirm', 'POST'],
  ])('%s %s is 405', async (method, url, allow) => {
    const answer = await send({}, { method, url })
    expect(answer.statusCode).toBe(405)
    expect(answer.json()).toEqual({ error: expect.any(String) })
    expect(answer.headers.allow).toBe(allow)
  })
})

describe('the log', () => {
  it('has one line for each answer', async () => {
    await send({}, GET_QUOTE)
    expect(service.lines).toEqual([
      {
        level: 'info',
        event: 'http.request',
        fields: {
          requestId: expect.any(String),
          method: 'GET',
          route: '/api/v1/quote',
          status: 200,
          durationMs: 0,
          keyId: 'key-individual',
        },
      },
    ])
  })

  it.each([
    ['good', {}, WITH_KEY],
    ['refused', {}, { authorization: `Basic ${KEY}` }],
    ['failing', { quote: throwing(new TypeError('oops')) }, WITH_KEY],
    ['away', { quote: throwing(new ChainUnavailableError('x')) }, WITH_KEY],
  ])('never has the key: %s', async (_, changes, headers) => {
    await send(changes, { ...GET_QUOTE, url: `${GET_QUOTE.url}&key=${KEY}` }, headers)
    expect(service.lines).not.toHaveLength(0)
    for (const { fields } of service.lines) {
      const error = fields.error instanceof Error ? `${fields.error.stack}` : ''
      expect(JSON.stringify(fields) + error).not.toContain(KEY)
    }
  })
})
