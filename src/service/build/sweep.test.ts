import { afterEach, beforeEach, expect, it } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { StoreUnavailableError } from '../errors.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import type { Store } from '../ports.ts'
import type { Build } from '../records.ts'
import { openStore } from '../store/openStore.ts'
import { attributionOf, buildOf, keyRecord, NOW_MS } from '../store/testing/records.ts'
import { settleMicrotasks } from '../testing/deps.ts'
import { type Sweep, startSweep } from './sweep.ts'

const HOUR_MS = 3_600_000
const RETENTION_MS = 30 * 24 * HOUR_MS
/** A page has at most 200 builds. */
const THREE_PAGES = 450
const TWO_PAGES = 230
const ONE_PAGE = 20

const key = keyRecord('sweep')

let clock: VirtualClock
let store: Store
let builds: Build[]
let reported: Build[]
let sweep: Sweep
let lines: [event: string, fields: unknown][]

beforeEach(async () => {
  clock = new VirtualClock(NOW_MS)
  lines = []
  store = await openStore({ url: ':memory:' })
  await store.insertKey(key)
})
afterEach(async () => {
  await sweep.stop()
  await store.close()
})

/** Saves `count` builds, every tenth of them reported. */
async function save(count: number) {
  builds = Array.from({ length: count }, (_, index) => buildOf(key, `sweep-${index}`))
  reported = builds.filter((_, index) => index % 10 === 0)
  for (const build of builds) await store.insertBuild(build)
  for (const build of reported) await store.recordAttribution(attributionOf(build, build.buildId))
}

function start(buildRetentionMs: number | null, on = store) {
  const policy = buildRetentionMs === null ? DEFAULT_POLICY : { ...DEFAULT_POLICY, buildRetentionMs }
  const write = (event: string, fields: unknown) => lines.push([event, fields])
  const log = { info: write, warn: write, error: write }
  sweep = startSweep({ clock, log, store: on, policy })
}

/** Advances the clock in small steps, so that each page ends before the next falls due. */
async function pass(totalMs: number, stepMs: number) {
  for (let passedMs = 0; passedMs < totalMs; passedMs += stepMs) {
    clock.advanceBy(stepMs)
    await settleMicrotasks()
  }
}

async function left() {
  const found = await Promise.all(builds.map(({ buildId }) => store.findBuild(buildId, key.keyId)))
  return found.filter((build) => build !== null)
}

it('removes unreported builds once they are too old, in rounds on the clock, and leaves the totals unchanged', async () => {
  await save(TWO_PAGES)
  const totals = await store.metrics(key.keyId)
  start(RETENTION_MS)
  await pass(RETENTION_MS, HOUR_MS)
  expect(await left()).toHaveLength(TWO_PAGES)
  expect(lines).toEqual([])
  await pass(4 * HOUR_MS, HOUR_MS / 4)
  await pass(HOUR_MS, HOUR_MS / 4)
  expect(await left()).toEqual(reported)
  expect(lines).toEqual([['builds.removed', { builds: TWO_PAGES - reported.length }]])
  expect(await store.metrics(key.keyId)).toEqual(totals)
})

it('removes nothing while the clock is set back, and what is too old once it is right again', async () => {
  await save(TWO_PAGES)
  clock.advanceBy(2 * RETENTION_MS)
  let behindMs = 2 * RETENTION_MS
  const stepping = {
    nowMs: () => clock.nowMs() - behindMs,
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs: number, action: () => void) => clock.after(delayMs, action),
  }
  const write = (event: string, fields: unknown) => lines.push([event, fields])
  sweep = startSweep({
    ...{ clock: stepping, store, log: { info: write, warn: write, error: write } },
    policy: { ...DEFAULT_POLICY, buildRetentionMs: RETENTION_MS },
  })
  await pass(3 * HOUR_MS, HOUR_MS / 4)
  expect(await left()).toHaveLength(TWO_PAGES)
  behindMs = 0
  await pass(3 * HOUR_MS, HOUR_MS / 4)
  expect(await left()).toEqual(reported)
})

it('removes one page at a time, with a pause in between', async () => {
  await save(THREE_PAGES)
  clock.advanceBy(2 * RETENTION_MS)
  start(RETENTION_MS)
  const counts = [(await left()).length]
  for (let page = 0; page < 3; page++) {
    await pass(250, 250)
    counts.push((await left()).length)
  }
  const steps = counts.slice(1).map((count, index) => (counts[index] ?? 0) - count)
  for (const step of steps) {
    expect(step).toBeGreaterThan(0)
    expect(step).toBeLessThanOrEqual(200)
  }
})

it('keeps everything without a retention', async () => {
  await save(ONE_PAGE)
  start(null)
  await pass(1_000 * RETENTION_MS, 100 * RETENTION_MS)
  expect(await left()).toHaveLength(ONE_PAGE)
  expect(clock.nextTimerMs()).toBeNull()
})

it('tries again later when the store is away', async () => {
  await save(ONE_PAGE)
  let isAway = true
  const removeUnreportedBuilds: Store['removeUnreportedBuilds'] = async (page) => {
    if (isAway) throw new StoreUnavailableError('it is away')
    return store.removeUnreportedBuilds(page)
  }
  clock.advanceBy(2 * RETENTION_MS)
  start(RETENTION_MS, { removeUnreportedBuilds } as Store)
  await pass(1_000, 250)
  expect(lines.map(([event]) => event)).toEqual(['builds.not-removed'])
  isAway = false
  await pass(2 * HOUR_MS, HOUR_MS / 4)
  await pass(1_000, 250)
  expect((await left()).length).toBeLessThan(ONE_PAGE)
})

it('does nothing more once it is stopped', async () => {
  await save(ONE_PAGE)
  clock.advanceBy(2 * RETENTION_MS)
  start(RETENTION_MS)
  await sweep.stop()
  await pass(HOUR_MS, HOUR_MS / 4)
  expect(await left()).toHaveLength(ONE_PAGE)
})
