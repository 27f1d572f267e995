import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { ScriptedChain as ReportsChain } from '../confirm/testing/scriptedChain.ts'
import { createDomain } from '../createDomain.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { HttpServer } from '../http/server.ts'
import { createPartners } from '../partners/partners.ts'
import type { Chain, Store } from '../ports.ts'
import { systemClock } from '../system/clock.ts'
import { systemIds } from '../system/ids.ts'
import { testDeps } from '../testing/deps.ts'
import { AT } from '../testing/manifest.ts'
import { ScriptedChain as QuotesChain } from '../testing/scriptedChain.ts'
import { openStore } from './openStore.ts'
import { sharedPostgresServer } from './testing/databases.ts'
import { useDatabases } from './testing/eachDatabase.ts'
import { keyRecord } from './testing/records.ts'

const CLIENTS = 12
const ROUNDS = 3
/** The default size of the pool of `pg`. */
const POOL = 10

const server = useDatabases(sharedPostgresServer)
let url: string
let store: Store
beforeEach(async () => {
  url = await server.current.create()
  store = await openStore({ url })
})
afterEach(() => store?.close())

/** Each lost connection fails at most one request, so that the last of these pings cannot meet one. */
async function pastEveryLostConnection() {
  for (let lost = 0; lost < POOL; lost++) await store.ping().catch(() => undefined)
}

it('lets many partner reports wait for the database on one connection, and identifies callers meanwhile', async () => {
  const [busy, other] = [keyRecord('busy'), keyRecord('other')]
  for (const key of [busy, other]) await store.insertKey(key)
  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  await locker.query('begin; lock table attributions in access exclusive mode')
  const reports = Array.from({ length: 4 * POOL }, () => store.metrics(busy.keyId))
  expect(await store.findKeyByHash(other.secretSha256)).toEqual(other)
  await locker.query('commit')
  await locker.end()
  for (const { confirmedSwaps } of await Promise.all(reports)) expect(confirmedSwaps).toBe(0)
})

it('survives the end of its connections, in use, between two uses and idle, and responds again', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    // More requests than connections: waiting requests get connections that have just failed.
    let ended = false
    const clients = Array.from({ length: 4 * CLIENTS }, async () => {
      const errors: unknown[] = []
      while (!ended) await store.listKeys().catch((error) => errors.push(error))
      return errors
    })
    await server.current.terminateConnections(url)
    ended = true
    for (const error of (await Promise.all(clients)).flat()) {
      expect(error).toBeInstanceOf(StoreUnavailableError)
    }
    await server.current.terminateConnections(url)
    await pastEveryLostConnection()
    expect(await store.listKeys()).toEqual([])
  }
})

it('answers 502 to a build and 503 to a report while its connections are ended, and then serves both', async () => {
  const { app, send } = await service()
  try {
    const first = await send.build()
    expect(first.statusCode).toBe(200)
    const { buildId } = first.json().attribution
    const seen: { at: string; status: number; body: unknown; retryAfter: unknown }[] = []
    let ended = false
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      while (!ended) {
        const at = index % 2 === 0 ? 'build' : 'confirm'
        const answer = at === 'build' ? await send.build() : await send.confirm(buildId)
        const { statusCode: status } = answer
        seen.push({ at, status, body: answer.json(), retryAfter: answer.headers['retry-after'] })
      }
    })
    // A connection that is ended between two statements fails no request: repeat until one is ended in use.
    const isHit = () => seen.some(({ status }) => status >= 400)
    for (let round = 0; round < ROUNDS || !isHit(); round++) await server.current.terminateConnections(url)
    ended = true
    await Promise.all(clients)

    const failed = seen.filter(({ status }) => status >= 400)
    expect(failed.length).toBeGreaterThan(0)
    for (const { at, status, body, retryAfter } of failed) {
      if (at === 'build') expect({ status, body }).toEqual({ status: 502, body: { error: 'build failed' } })
      else expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: expect.any(String) })
    }
    await pastEveryLostConnection()
    expect((await send.build()).statusCode).toBe(200)
    expect((await send.confirm(buildId)).statusCode).toBe(202)
  } finally {
    await app.close()
  }
})

/** Returns the whole service on the store, on a chain where venue A delivers as quoted and no transaction is found. */
async function service() {
  const quotes = new QuotesChain()
  const outRaw = 2_490_000_000n
  const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const
  const SUPPLY_SELECTOR = '0x18160ddd'
  let held = 0n
  quotes.venue(AT.venueA, () => outRaw)
  quotes.contract(AT.usdg, ({ data }) => hex(data === SUPPLY_SELECTOR ? 10n ** 30n : held))
  quotes.contract(AT.settlement, () => {
    held += outRaw
    return '0x'
  })
  const reports = new ReportsChain({
    chainId: '0x1237',
    head: '0x1',
    transaction: null,
    receipt: null,
    block: null,
  })
  const chain: Chain = {
    send: (calls) => (calls.some(({ method }) => method === 'eth_chainId') ? reports : quotes).send(calls),
  }
  const deps = {
    ...testDeps(systemClock, chain, { store, policy: { budget: { requests: 1e6, windowMs: 60_000 } } }),
    ids: systemIds,
  }
  const app: HttpServer = await buildApp(deps, createDomain(deps))
  const { key } = await createPartners(deps).issueKey({ partnerId: 'acme', kind: 'individual' })
  const headers = { authorization: `Bearer ${key}` }
  const post = (path: string, payload: object) => app.inject({ method: 'POST', url: path, headers, payload })
  const swap = { from: 'ETH', to: 'USDG', amount: 1, sender: AT.sender }
  const send = {
    build: () => post('/api/v1/swap/build', swap),
    confirm: (buildId: string) => post('/api/v1/swap/confirm', { buildId, txHash: `0x${'ab'.repeat(32)}` }),
  }
  return { app, send }
}
