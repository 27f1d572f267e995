import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreUnavailableError } from '../errors.ts'
import type { Store } from '../ports.ts'
import { systemClock } from '../system/clock.ts'
import { wholeService } from '../testing/wholeService.ts'
import { openStore } from './openStore.ts'
import { execute, sharedPostgresServer } from './testing/databases.ts'
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
  const { app, send } = await wholeService(store, systemClock)
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

it('sees at a check of its readiness that the database can be read and not written', async () => {
  await store.ping({ writes: true })
  const name = new URL(url).pathname.slice(1)
  await execute(url, `alter database ${name} set default_transaction_read_only = on`)
  await server.current.terminateConnections(url)
  await pastEveryLostConnection()
  await store.ping()
  await expect(store.ping({ writes: true })).rejects.toBeInstanceOf(StoreUnavailableError)
})

it('cannot be used while the server is away, and can again when it is back', async () => {
  const key = keyRecord('away')
  await store.insertKey(key)
  await server.current.stop()
  await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError)
  await expect(store.listKeys()).rejects.toBeInstanceOf(StoreUnavailableError)
  await expect(openStore({ url })).rejects.toBeInstanceOf(StoreUnavailableError)
  await server.current.start()
  expect(await store.listKeys()).toEqual([key])
})

it.each([
  ['database', (url: string) => `${url}_missing`],
  ['login', (url: string) => url.replace(/:\w+@/, ':wrong@')],
])('cannot be used with another %s', async (_, change) => {
  await expect(openStore({ url: change(url) })).rejects.toBeInstanceOf(StoreUnavailableError)
})
