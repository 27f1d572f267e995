import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../errors.ts'
import type { Store } from '../ports.ts'
import type { BuildPosition, KeyRecord } from '../records.ts'
import { StoreSchemaError } from './migrations.ts'
import { openStore, StoreUrlError } from './openStore.ts'
import {
  type Databases,
  execute,
  fileDatabases,
  type PostgresServer,
  sharedPostgresServer,
} from './testing/databases.ts'
import { type StoreProcess, startStoreProcess } from './testing/process.ts'
import { attributionOf, buildOf, keyRecord, NOW_MS } from './testing/records.ts'

describe('the store in memory', () => {
  theStore(async () => ':memory:')
})

describe('the store in a file', () => {
  let databases: Databases
  beforeAll(async () => {
    databases = await fileDatabases()
  })
  afterAll(() => databases?.close())

  theStore(() => databases.create())
  sharedBetweenProcesses(() => databases.create())

  it('cannot be used when the file cannot be opened or is no database', async () => {
    const url = await databases.create()
    await expect(openStore({ url: `${url}/no/such/directory` })).rejects.toBeInstanceOf(StoreUnavailableError)
    await writeFile(url.slice('file:'.length), 'This is no database. '.repeat(100))
    await expect(openStore({ url })).rejects.toBeInstanceOf(StoreUnavailableError)
  })
})

describe('the store on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharedPostgresServer()
  })
  afterAll(() => server?.close())

  theStore(() => server.create())
  sharedBetweenProcesses(() => server.create())

  it('cannot be used while the server is away, and can again when it is back', async () => {
    const url = await server.create()
    const store = await openStore({ url })
    await store.insertKey(keyRecord('away'))
    await server.stop()
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError)
    await expect(store.listKeys()).rejects.toBeInstanceOf(StoreUnavailableError)
    await expect(openStore({ url })).rejects.toBeInstanceOf(StoreUnavailableError)
    await server.start()
    expect(await store.listKeys()).toEqual([keyRecord('away')])
    await store.close()
  })

  it('cannot be used with another login or database', async () => {
    const url = await server.create()
    const refused = [`${url}_missing`, url.replace(/:\w+@/, ':wrong@')]
    for (const other of refused) {
      await expect(openStore({ url: other })).rejects.toBeInstanceOf(StoreUnavailableError)
    }
  })
})

describe('the URL of a store', () => {
  it('names one of the known databases', async () => {
    for (const url of ['', 'file:', 'memory', 'mysql://user:password@host/db']) {
      const refusal = openStore({ url })
      await expect(refusal).rejects.toBeInstanceOf(StoreUrlError)
      await expect(refusal).rejects.not.toThrow('password@')
    }
  })
})

/** What every database must do for one process. */
function theStore(createDatabase: () => Promise<string>) {
  let store: Store
  beforeAll(async () => {
    store = await openStore({ url: await createDatabase() })
  })
  afterAll(() => store?.close())

  async function insertedKey(label: string, overrides: Partial<KeyRecord> = {}) {
    const key = keyRecord(label, overrides)
    await store.insertKey(key)
    return key
  }

  it('finds a key by the hash of its secret, whatever its state', async () => {
    const active = await insertedKey('find-active')
    const revoked = await insertedKey('find-revoked', { revokedAtMs: NOW_MS + 1, kind: 'legacy' })
    expect(await store.findKeyByHash(active.secretSha256)).toEqual(active)
    expect(await store.findKeyByHash(revoked.secretSha256)).toEqual(revoked)
    expect(await store.findKeyByHash('00'.repeat(32))).toBeNull()
  })

  it('revokes an active key once', async () => {
    const key = await insertedKey('revoke')
    expect(await store.revokeKey(key.keyId, NOW_MS + 7)).toBe(true)
    expect(await store.revokeKey(key.keyId, NOW_MS + 8)).toBe(false)
    expect(await store.revokeKey('no-such-key', NOW_MS)).toBe(false)
    expect(await store.findKeyByHash(key.secretSha256)).toEqual({ ...key, revokedAtMs: NOW_MS + 7 })
  })

  it('lists keys by their age', async () => {
    const younger = await insertedKey('list-younger', { createdAtMs: NOW_MS + 50 })
    const older = await insertedKey('list-older', { createdAtMs: NOW_MS - 50 })
    const listed = (await store.listKeys()).filter(({ partnerId }) => partnerId.startsWith('partner-list-'))
    expect(listed).toEqual([older, younger])
  })

  it('gives back a build exactly, to its own key alone', async () => {
    const mine = await insertedKey('build-mine')
    const other = await insertedKey('build-other')
    const build = buildOf(mine, 'exact', {
      valueRaw: 2n ** 256n - 1n,
      amountInRaw: 2n ** 255n + 1n,
      minimumOutRaw: 0n,
      notionalUsdMicros: 10n ** 40n + 1n,
    })
    const unpriced = buildOf(mine, 'unpriced', { notionalUsdMicros: null })
    await store.insertBuild(build)
    await store.insertBuild(unpriced)
    expect(await store.findBuild(build.buildId, mine.keyId)).toEqual(build)
    expect(await store.findBuild(unpriced.buildId, mine.keyId)).toEqual(unpriced)
    expect(await store.findBuild(build.buildId, other.keyId)).toBeNull()
    expect(await store.findBuild('no-such-build', mine.keyId)).toBeNull()
  })

  it('keeps hex in lower case, so that equality is equality of bytes', async () => {
    const key = await insertedKey('case')
    const build = buildOf(key, 'case')
    await store.insertBuild({ ...build, calldata: build.calldata.toUpperCase().replace('X', 'x') })
    expect((await store.findBuild(build.buildId, key.keyId))?.calldata).toBe(build.calldata)

    const attribution = attributionOf(build, 'case')
    const shouted = `0x${attribution.txHash.slice(2).toUpperCase()}`
    expect(await store.recordAttribution({ ...attribution, txHash: shouted })).toBe('recorded')
    expect(await store.recordAttribution(attribution)).toBe('already-recorded')
    expect(await store.findAttributionByTransaction(shouted)).toEqual(attribution)
  })

  it('credits a build once and says what stood in the way', async () => {
    const key = await insertedKey('credit')
    const [first, second] = [buildOf(key, 'first'), buildOf(key, 'second')]
    await store.insertBuild(first)
    await store.insertBuild(second)
    const credited = attributionOf(first, 'credit-1')
    expect(await store.findAttributionByBuild(first.buildId)).toBeNull()
    expect(await store.findAttributionByTransaction(credited.txHash)).toBeNull()

    expect(await store.recordAttribution(credited)).toBe('recorded')
    expect(await store.recordAttribution({ ...credited, confirmedAtMs: NOW_MS + 99_000 })).toBe(
      'already-recorded',
    )
    expect(await store.recordAttribution(attributionOf(first, 'credit-2'))).toBe('build-taken')
    expect(await store.recordAttribution(attributionOf(second, 'credit-1'))).toBe('transaction-taken')

    expect(await store.findAttributionByBuild(first.buildId)).toEqual(credited)
    expect(await store.findAttributionByTransaction(credited.txHash)).toEqual(credited)
    expect(await store.findAttributionByBuild(second.buildId)).toBeNull()
    expect(await store.recordAttribution(attributionOf(second, 'credit-2'))).toBe('recorded')
  })

  it('removes page by page the builds that nobody reported, and no total changes', async () => {
    const key = await insertedKey('old')
    const ENDED_MS = 10_000
    const old = (label: string, validUntilMs: number) => buildOf(key, label, { createdAtMs: 0, validUntilMs })
    const unreported = [1, 1, 1, 2, 3].map((endMs, index) => old(`old-${index}`, endMs))
    const reported = [1, 2].map((endMs) => old(`old-reported-${endMs}`, endMs))
    const young = old('old-young', ENDED_MS)
    for (const build of [...unreported, ...reported, young]) await store.insertBuild(build)
    for (const build of reported) await store.recordAttribution(attributionOf(build, build.buildId))
    const totals = await store.metrics(key.keyId)
    expect(totals.confirmedSwaps).toBe(2)

    const removed: number[] = []
    for (let after: BuildPosition | null = null; ; ) {
      const page = await store.removeUnreportedBuilds({ after, endedBeforeMs: ENDED_MS, limit: 2 })
      if (page.last === null) break
      removed.push(page.removed)
      after = page.last
    }
    expect(removed).toHaveLength(4)
    expect(removed.reduce((sum, count) => sum + count)).toBe(unreported.length)
    for (const build of unreported) expect(await store.findBuild(build.buildId, key.keyId)).toBeNull()
    for (const build of [...reported, young]) {
      expect(await store.findBuild(build.buildId, key.keyId)).toEqual(build)
    }
    expect(await store.metrics(key.keyId)).toEqual(totals)
  })

  it('refuses in the database what no caller may write', async () => {
    const key = await insertedKey('refuse')
    const stranger = await insertedKey('refuse-stranger')
    const build = buildOf(key, 'refuse')
    await store.insertBuild(build)
    const refused = [
      store.insertKey(key),
      store.insertKey({ ...keyRecord('refuse-2'), secretSha256: key.secretSha256 }),
      store.insertKey({ ...keyRecord('refuse-3'), kind: 'neither' as 'legacy' }),
      store.insertBuild(build),
      store.insertBuild(buildOf(keyRecord('refuse-unknown'), 'no such key')),
      store.insertBuild(buildOf({ ...key, partnerId: stranger.partnerId }, 'another partner')),
      store.insertBuild(buildOf(key, 'window', { validUntilMs: NOW_MS - 1 })),
      store.insertBuild(buildOf(key, 'venue', { venue: 'market' as 'venue_a' })),
      store.insertBuild(buildOf(key, 'notional', { notionalUsdMicros: -1n })),
      store.insertBuild(buildOf(key, 'notional', { notionalUsdMicros: 10n ** 96n })),
      store.recordAttribution(attributionOf(buildOf(key, 'never saved'), 'refuse')),
      store.recordAttribution(attributionOf({ ...build, keyId: stranger.keyId }, 'refuse')),
    ]
    for (const outcome of await Promise.allSettled(refused)) {
      expect(outcome.status).toBe('rejected')
      // These are bugs of the caller, which "try again" would hide.
      expect((outcome as PromiseRejectedResult).reason).not.toBeInstanceOf(StoreUnavailableError)
    }
    expect(await store.recordAttribution(attributionOf(build, 'refuse'))).toBe('recorded')
  })

  it('counts a budget in windows, each partner apart', async () => {
    const windowMs = 60_000
    const startMs = Math.floor(NOW_MS / windowMs) * windowMs
    const spend = (partnerId: string, nowMs: number) => store.spendBudget({ partnerId, nowMs, windowMs })
    expect(await spend('budget-a', startMs)).toEqual({ spent: 1, resetsAtMs: startMs + windowMs })
    expect(await spend('budget-a', startMs + windowMs - 1)).toEqual({
      spent: 2,
      resetsAtMs: startMs + windowMs,
    })
    expect(await spend('budget-b', startMs)).toMatchObject({ spent: 1 })
    expect(await spend('budget-a', startMs + windowMs)).toEqual({
      spent: 1,
      resetsAtMs: startMs + 2 * windowMs,
    })
    // A process whose clock is slightly behind still counts in the window that it is in.
    expect(await spend('budget-a', startMs + windowMs - 1)).toMatchObject({ spent: 3 })
    // Two windows later nobody counts there any more, and the row is gone.
    expect(await spend('budget-a', startMs + 2 * windowMs)).toMatchObject({ spent: 1 })
    expect(await spend('budget-a', startMs)).toMatchObject({ spent: 1 })
  })

  it('loses no request of a budget that many spend at once', async () => {
    const spend = { partnerId: 'budget-crowd', nowMs: NOW_MS, windowMs: 60_000 }
    const answers = await Promise.all(Array.from({ length: 40 }, () => store.spendBudget(spend)))
    const spent = answers.map((answer) => answer.spent).sort((a, b) => a - b)
    expect(spent).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })

  it('adds up the totals of one key, whatever their size', async () => {
    const key = await insertedKey('metrics')
    const other = await insertedKey('metrics-other', { partnerId: key.partnerId })
    expect(await store.metrics(key.keyId)).toEqual({
      confirmedSwaps: 0,
      lastConfirmationMs: null,
      notionalUsdMicros: 0n,
      pricedSwaps: 0,
      unpricedSwaps: 0,
    })
    const notionals = [999_999_999_999n, 1n, 2n ** 256n, null, 0n, 10n ** 96n - 1n]
    for (const [index, notionalUsdMicros] of notionals.entries()) {
      const build = buildOf(key, `metrics-${index}`, { notionalUsdMicros })
      await store.insertBuild(build)
      const confirmedAtMs = NOW_MS + (index === 2 ? 5_000 : index)
      await store.recordAttribution(attributionOf(build, `metrics-${index}`, { confirmedAtMs }))
    }
    await store.insertBuild(buildOf(key, 'metrics-unconfirmed'))
    const foreign = buildOf(other, 'metrics-foreign')
    await store.insertBuild(foreign)
    await store.recordAttribution(attributionOf(foreign, 'metrics-foreign'))

    expect(await store.metrics(key.keyId)).toEqual({
      confirmedSwaps: 6,
      lastConfirmationMs: NOW_MS + 5_000,
      notionalUsdMicros: 10n ** 12n + 2n ** 256n + 10n ** 96n - 1n,
      pricedSwaps: 5,
      unpricedSwaps: 1,
    })
    expect(await store.metrics(other.keyId)).toMatchObject({
      confirmedSwaps: 1,
      notionalUsdMicros: 2_500_000_000n,
    })
  })

  it('answers a ping until it is closed, and then says that it cannot be used', async () => {
    const closing = await openStore({ url: await createDatabase() })
    await closing.ping()
    await closing.close()
    await closing.close()
    await expect(closing.ping()).rejects.toBeInstanceOf(StoreUnavailableError)
  })
}

/** What a database must do when several processes have it open. */
function sharedBetweenProcesses(createDatabase: () => Promise<string>) {
  describe('shared', () => {
    let url: string
    let key: KeyRecord
    const stores: Store[] = []
    const processes: StoreProcess[] = []

    async function opened() {
      const store = await openStore({ url })
      stores.push(store)
      return store
    }
    async function started() {
      const process = await startStoreProcess(url)
      processes.push(process)
      return process
    }

    beforeEach(async () => {
      url = await createDatabase()
      key = keyRecord('shared')
    })
    afterEach(async () => {
      await Promise.all(processes.splice(0).map((process) => process.kill()))
      await Promise.all(stores.splice(0).map((store) => store.close()))
    })

    it('says what to do about tables that a newer version made', async () => {
      const url = await createDatabase()
      await (await openStore({ url })).close()
      await execute(url, "insert into kysely_migration values ('9999_later', '2030-01-01')")
      const error = await openStore({ url }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StoreSchemaError)
      expect(error).toMatchObject({
        kind: 'usage',
        unknownMigrations: ['9999_later'],
        message: expect.stringContaining('newer than this version'),
        advice: expect.stringContaining('Run the version that made them'),
      })
    })

    it('says what to do about a database that something else uses', async () => {
      const url = await createDatabase()
      await execute(url, 'create table builds (id integer)')
      const error = await openStore({ url }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StoreSchemaError)
      expect(error).toMatchObject({ message: expect.stringContaining('builds'), unknownMigrations: [] })
    })

    it('is made once by processes that start at the same moment', async () => {
      const recorders = await Promise.all(Array.from({ length: 3 }, started))
      const store = await opened()
      await store.insertKey(key)
      for (const [index, recorder] of recorders.entries()) {
        const build = buildOf(key, `start-${index}`)
        await store.insertBuild(build)
        expect(await recorder.record(attributionOf(build, `start-${index}`))).toBe('recorded')
      }
    })

    it('keeps what it holds when it is opened again', async () => {
      const first = await opened()
      await first.insertKey(key)
      await first.close()
      expect(await (await opened()).listKeys()).toEqual([key])
    })

    /** Both callers report at the same moment, twenty times over. */
    async function race(left: Recorder, right: Recorder) {
      const store = await opened()
      await store.insertKey(key)
      for (let round = 0; round < 20; round++) {
        const [one, two] = [buildOf(key, `one-${round}`), buildOf(key, `two-${round}`)]
        const rival = buildOf(key, `rival-${round}`)
        for (const build of [one, two, rival]) await store.insertBuild(build)

        const same = attributionOf(one, `same-${round}`)
        const twice = await Promise.all([left.record(same), right.record(same)])
        expect(twice.sort()).toEqual(['already-recorded', 'recorded'])

        const oneBuild = await Promise.all([
          left.record(attributionOf(two, `left-${round}`)),
          right.record(attributionOf(two, `right-${round}`)),
        ])
        expect(oneBuild.sort()).toEqual(['build-taken', 'recorded'])

        const three = buildOf(key, `three-${round}`)
        await store.insertBuild(three)
        const oneTransaction = await Promise.all([
          left.record(attributionOf(three, `wanted-${round}`)),
          right.record(attributionOf(rival, `wanted-${round}`)),
        ])
        expect(oneTransaction.sort()).toEqual(['recorded', 'transaction-taken'])
      }
      expect(await store.metrics(key.keyId)).toMatchObject({ confirmedSwaps: 60 })
    }

    it('credits once when two connections report at the same moment', async () => {
      const [left, right] = [await opened(), await opened()]
      await race(
        { record: (attribution) => left.recordAttribution(attribution) },
        { record: (attribution) => right.recordAttribution(attribution) },
      )
    })

    it('credits once when two processes report at the same moment', async () => {
      const [left, right] = await Promise.all([started(), started()])
      await race(left, right)
    })

    it('loses nothing that a killed process had answered', async () => {
      const store = await opened()
      await store.insertKey(key)
      const build = buildOf(key, 'killed')
      await store.insertBuild(build)
      const victim = await started()
      const attribution = attributionOf(build, 'killed')
      expect(await victim.record(attribution)).toBe('recorded')
      await victim.kill()
      await store.close()
      expect(await (await opened()).findAttributionByBuild(build.buildId)).toEqual(attribution)
    })
  })
}

type Recorder = Pick<StoreProcess, 'record'>
