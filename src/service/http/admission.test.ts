import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { ChainUnavailableError } from '../errors.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from '../limits.ts'
import { type DomainChanges, fakeApps, WITH_KEY } from '../testing/fakeDomain.ts'

const SENDER = '0x00000000000000000000000000000000000000aa'
const QUOTE = { method: 'GET', url: '/api/v1/quote?from=ETH&to=USDG&amount=1' } as const
const BUILD = {
  method: 'POST',
  url: '/api/v1/swap/build',
  payload: { from: 'ETH', to: 'USDG', amount: 1, sender: SENDER },
} as const
const CONFIRM = {
  method: 'POST',
  url: '/api/v1/swap/confirm',
  payload: { buildId: '11111111-2222-4333-8444-555555555555', txHash: `0x${'ab'.repeat(32)}` },
} as const
const ENDPOINTS = [
  ['quote', QUOTE, 503, 'temporarily overloaded'],
  ['build', BUILD, 502, 'build failed'],
  ['confirm', CONFIRM, 503, 'temporarily overloaded'],
] as const

/** A clock that stands still, and resolves `waited` when the service starts a timer. */
class WatchedClock extends VirtualClock {
  waits = () => {}
  readonly waited = new Promise<void>((resolve) => {
    this.waits = resolve
  })
  override after(delayMs: number, callback: () => void): () => void {
    this.waits()
    return super.after(delayMs, callback)
  }
}

const serving = await fakeApps()
let free = () => {}
let first: Promise<unknown> | undefined
afterEach(async () => {
  free()
  await first
})

/** Returns a service with room for one request, taken by a quote that never ends by itself. */
async function busy(limits: Partial<ServiceLimits> = {}, changes: DomainChanges = {}) {
  const clock = new WatchedClock(1_000_000)
  const started = new Promise<void>((resolve) => {
    const ended = new Promise<never>((_resolve, reject) => {
      free = () => reject(new ChainUnavailableError('over'))
    })
    changes = {
      quote: () => {
        resolve()
        return ended
      },
      ...changes,
    }
  })
  const { app, calls, lines } = serving(
    changes,
    { ...DEFAULT_LIMITS, runningMax: 1, waitingMax: 0, ...limits },
    clock,
  )
  first = app.inject({ ...QUOTE, headers: WITH_KEY }).then(() => {})
  await started
  return { app, calls, lines, clock }
}

describe('a full queue', () => {
  it.each(ENDPOINTS)(
    'refuses a %s as §7 has it, with the time to come back',
    async (_, request, status, error) => {
      const { app } = await busy()
      const answer = await app.inject({ ...request, headers: WITH_KEY })
      expect([answer.statusCode, answer.json()]).toEqual([status, { error }])
      expect(answer.headers['retry-after']).toBe('2')
    },
  )

  it.each(ENDPOINTS)(
    'refuses a %s before its key is looked up or its budget spent',
    async (_, request, status) => {
      const { app, calls } = await busy()
      const answer = await app.inject({ ...request, headers: { authorization: 'Bearer nobody' } })
      expect(answer.statusCode).toBe(status)
      expect(calls.map(({ name }) => name)).toEqual(['quote'])
    },
  )

  it('does not concern what needs no chain', async () => {
    const { app } = await busy()
    const urls = ['/openapi.json', '/healthz', '/api/v1/partner/report']
    const answers = await Promise.all(urls.map((url) => app.inject({ url, headers: WITH_KEY })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  it('is logged as counts, not once for each refusal', async () => {
    const { app, lines, clock } = await busy()
    for (const request of [QUOTE, QUOTE, CONFIRM]) await app.inject({ ...request, headers: WITH_KEY })
    clock.advanceBy(1_000)
    expect(lines.filter(({ event }) => event !== 'http.request')).toEqual([
      {
        level: 'warn',
        event: 'admission.refused',
        fields: { counts: { 'quote.queue-full': 2, 'confirm.queue-full': 1 } },
      },
    ])
  })
})

describe('a request that waits', () => {
  it('is refused when its time is over', async () => {
    const { app, clock } = await busy({ waitingMax: 4, waitMs: 700 })
    const answer = app.inject({ ...BUILD, headers: WITH_KEY })
    void answer.then(() => {})
    await clock.waited
    clock.advanceBy(700)
    expect((await answer).statusCode).toBe(502)
  })

  it('has its time in the queue counted against its budget', async () => {
    let arrivedAtMs: number | undefined
    const { app, clock } = await busy(
      { waitingMax: 4 },
      {
        build: (_request, _by, at) => {
          arrivedAtMs = at
          throw new ChainUnavailableError('enough is known')
        },
      },
    )
    const answer = app.inject({ ...BUILD, headers: WITH_KEY })
    void answer.then(() => {})
    await clock.waited
    clock.advanceBy(400)
    free()
    await Promise.all([first, answer])
    expect(arrivedAtMs).toBe(1_000_000)
  })
})

describe('the budget of a key', () => {
  const limits = { ...DEFAULT_LIMITS, keyBudget: { requests: 2, windowMs: 60_000 } }
  const start = () => {
    const clock = new VirtualClock(1_000_000)
    const { app } = serving({}, limits, clock)
    return { clock, send: (request: object) => app.inject({ ...request, headers: WITH_KEY }) }
  }

  it.each([
    ['quote', QUOTE, 429, { error: 'the request budget of this key is exceeded' }],
    ['build', BUILD, 502, { error: 'build failed' }],
  ] as const)('is shared by quote and build; beyond it a %s is refused', async (_, request, status, body) => {
    const { send } = start()
    expect([(await send(QUOTE)).statusCode, (await send(BUILD)).statusCode]).toEqual([200, 200])
    const answer = await send(request)
    expect([answer.statusCode, answer.json()]).toEqual([status, body])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
  })

  it('is full again in the next window, and is not spent by reports', async () => {
    const { clock, send } = start()
    await send(QUOTE)
    await send(CONFIRM)
    await send(QUOTE)
    expect((await send(QUOTE)).statusCode).toBe(429)
    expect((await send(CONFIRM)).statusCode).toBe(200)
    clock.advanceBy(60_000)
    expect((await send(QUOTE)).statusCode).toBe(200)
  })
})
