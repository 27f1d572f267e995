import { afterAll, beforeAll, expect, it } from 'vitest'
import { StoreUnavailableError } from '../errors.ts'
import type { Store } from '../ports.ts'
import type { BuildPosition, KeyRecord } from '../records.ts'
import { openStore } from './openStore.ts'
import { onEveryDatabase } from './testing/eachDatabase.ts'
import { attributionOf, buildOf, keyRecord, NOW_MS } from './testing/records.ts'

// Requirements on every database, in one process.
onEveryDatabase((createDatabase) => {
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

  it('credits a build once, and reports the conflict otherwise', async () => {
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

  it('removes unreported builds page by page, and no total changes', async () => {
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
    // A process whose clock is slightly behind still counts in its own window.
    expect(await spend('budget-a', startMs + windowMs - 1)).toMatchObject({ spent: 3 })
    // Two windows later the row is gone.
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
})
