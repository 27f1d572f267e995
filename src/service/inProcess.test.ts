import { expect, test, vi } from 'vitest'
import { VirtualClock } from '../simulation/world/clock.ts'
import { buildAppFor } from './app.ts'
import { createDomain } from './createDomain.ts'
import type { ServiceDeps } from './deps.ts'
import type { InjectedRequest, InProcessService } from './injected.ts'
import { createStarter, type Starter } from './inProcess.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from './limits.ts'
import { hashSecret } from './partners/secret.ts'
import { openStore } from './store/openStore.ts'
import { settleMicrotasks, testDeps } from './testing/deps.ts'
import { AT } from './testing/manifest.ts'
import { ScriptedChain } from './testing/scriptedChain.ts'

const KEYS = ['one', 'two'] as const
/** Budgets of a window, equal to the number of requests below: reports of a partner, and quotes and builds of a key. */
const REPORTS = 2
const PRICED = 3
const LIMITS: ServiceLimits = { ...DEFAULT_LIMITS, keyBudget: { requests: PRICED, windowMs: 60_000 } }

interface Lived {
  readonly service: InProcessService
  readonly deps: ServiceDeps
  readonly chain: ScriptedChain
  /** The log. */
  readonly lines: string[]
}

/** Returns a service with the ports of a new world. */
async function live(starter: Starter): Promise<Lived> {
  const chain = new ScriptedChain()
  for (const [index, venue] of [AT.venueA, AT.venueB].entries())
    chain.venue(venue, (amountRaw) => (amountRaw * (2_499n - BigInt(index))) / 10n ** 12n)
  let balanceRaw = 0n
  chain.contract(AT.usdg, () => `0x${balanceRaw.toString(16).padStart(64, '0')}`)
  chain.contract(AT.settlement, () => {
    balanceRaw += 2_600_000_000n
    return '0x'
  })
  const store = await openStore({ url: ':memory:' })
  for (const keyId of KEYS) {
    const secretSha256 = hashSecret(keyId)
    const key = { keyId, partnerId: 'partner', secretSha256, createdAtMs: 0, revokedAtMs: null }
    await store.insertKey({ ...key, kind: 'individual' })
  }
  const budget = { requests: REPORTS, windowMs: 60_000 }
  const lines: string[] = []
  const log = (event: string, fields: object) => lines.push(JSON.stringify([event, fields]))
  const deps = {
    ...testDeps(new VirtualClock(1_700_000_000_000), chain, { store, policy: { budget } }),
    log: { info: log, warn: log, error: log },
  }
  return { service: await starter.start(deps, createDomain(deps)), deps, chain, lines }
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` })
const quote = (key: string, amount = 1): InjectedRequest => ({
  method: 'GET',
  url: `/api/v1/quote?from=ETH&to=USDG&amount=${amount}`,
  headers: withKey(key),
})
const post = (path: string, key: string, payload: object): InjectedRequest => ({
  method: 'POST',
  url: `/api/v1/swap/${path}`,
  headers: withKey(key),
  payload,
})
const build = (key: string) => post('build', key, { from: 'ETH', to: 'USDG', amount: 1, sender: AT.sender })
const report = (key: string, buildId: string) =>
  post('confirm', key, { buildId, txHash: `0x${'ab'.repeat(32)}` })
const totals = (key: string): InjectedRequest => ({
  method: 'GET',
  url: '/api/v1/partner/report',
  headers: withKey(key),
})
const NOBODY = '00000000-0000-4000-8000-00000000ffff'

/** Requests whose responses depend on all counters and caches. */
const REQUESTS: readonly InjectedRequest[] = [
  quote('one'),
  quote('one'),
  build('one'),
  ...Array.from({ length: REPORTS + 1 }, () => report('two', NOBODY)),
  totals('one'),
  totals('nobody'),
  { method: 'PUT', url: '/api/v1/quote', headers: {} },
  { method: 'GET', url: '/openapi.json', headers: {} },
]

/** Returns all observable results of a life: its responses to the byte, and its log. */
async function observe({ service, lines }: Lived): Promise<string> {
  const answers: unknown[] = []
  for (const request of REQUESTS) {
    const { statusCode, headers, body } = await service.inject(request)
    answers.push([statusCode, headers, body])
  }
  return JSON.stringify([answers, lines])
}

/** Uses up every budget and fills every cache of a life. */
async function exhaust({ service, deps }: Lived): Promise<void> {
  for (let spent = 0; spent < PRICED; spent += 1) await service.inject(quote('one'))
  expect((await service.inject(quote('one'))).statusCode).toBe(429)
  await service.inject(build('two'))
  for (let spent = 0; spent < REPORTS; spent += 1) await service.inject(report('one', NOBODY))
  expect((await service.inject(report('one', NOBODY))).statusCode).toBe(429)
  await deps.store.revokeKey('two', 1)
  expect((await service.inject(totals('two'))).statusCode).toBe(401)
}

/** Returns a starter and counts the applications that it builds. */
function counting() {
  const builds = vi.fn(buildAppFor)
  return { builds, starter: createStarter({ limits: LIMITS, build: builds }) }
}

const untouched = await observe(await live(counting().starter))

test('a life that follows another on the same application equals a first one to the byte', async () => {
  const { builds, starter } = counting()
  for (let before = 0; before < 3; before += 1) {
    const former = await live(starter)
    await exhaust(former)
    await former.service.close()
  }
  expect(await observe(await live(starter))).toBe(untouched)
  expect(builds).toHaveBeenCalledOnce()
})

test('a request in progress stays in its life, whose application serves no other', async () => {
  const { builds, starter } = counting()
  const former = await live(starter)
  const send = former.chain.send.bind(former.chain)
  let reply = () => {}
  const isAsked = new Promise<void>((resolve) => {
    former.chain.send = async (calls) => {
      resolve()
      await new Promise<void>((go) => {
        reply = go
      })
      return send(calls)
    }
  })
  const asked = former.service.inject(quote('one', 3))
  await isAsked
  await former.service.close()
  const next = await live(starter)
  await next.service.inject(totals('one'))
  const before = next.lines.length
  reply()
  const answer = await asked
  await settleMicrotasks()
  expect(answer).toMatchObject({ statusCode: 200, body: expect.stringContaining('"amountIn":3') })
  expect(former.lines.filter((line) => line.startsWith('["http.request"'))).toHaveLength(1)
  expect(next.lines).toHaveLength(before)
  expect(builds).toHaveBeenCalledTimes(2)
  await next.service.close()
  expect(await observe(await live(starter))).toBe(untouched)
  expect(builds).toHaveBeenCalledTimes(2)
})

test('overlapping lives have separate applications, however often one of them is closed', async () => {
  const { builds, starter } = counting()
  const former = await live(starter)
  await former.service.close()
  await former.service.close()
  const [one, other] = [await live(starter), await live(starter)]
  await exhaust(one)
  expect(await observe(other)).toBe(untouched)
  expect(builds).toHaveBeenCalledTimes(2)
})

test('a closed service rejects requests, even when its application serves another', async () => {
  const { starter } = counting()
  const former = await live(starter)
  await former.service.close()
  await expect(former.service.inject(quote('one'))).rejects.toThrow('the service is closed')
  const next = await live(starter)
  await expect(former.service.inject(quote('one'))).rejects.toThrow('the service is closed')
  expect(next.lines).toEqual([])
})
