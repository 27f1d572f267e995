import { describe, expect, it } from 'vitest'
import { runSteps } from './run/interpreter.ts'
import type { Run } from './run/runLog.ts'
import type { StepInput } from './steps/steps.ts'
import { useWorld } from './testing/lentWorld.ts'
import type { Crash } from './world/life.ts'

const world = useWorld(1)

/** More calls than any request makes to its ports. */
const CALLS_MAX = 20
const WHENS: readonly Crash['when'][] = ['before', 'after']

const build = (as: string): StepInput => ({
  op: 'build',
  as,
  key: 'one',
  sender: 'alice',
  body: { from: 'USDG', to: 'DUSD', amount: 10, preferEngine: 'venue_a' },
})
const SWAPPED: readonly StepInput[] = [
  build('swap'),
  { op: 'approve', build: 'swap' },
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 13 },
]
const CONFIRM: StepInput = { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' }
const REPORT: StepInput = { op: 'report', key: 'one' }

const answersOf = ({ log }: Run, op: StepInput['op']) =>
  log.filter((step) => step.op === op).flatMap((step) => step.answers)

/** Runs a scenario with the service ended at each call of one request in turn, until that call is never made. */
async function atEveryCall(
  story: (crash: StepInput) => readonly StepInput[],
): Promise<readonly { readonly crash: Crash; readonly run: Run }[]> {
  const runs: { crash: Crash; run: Run }[] = []
  for (const when of WHENS) {
    for (let call = 0; call < CALLS_MAX; call += 1) {
      await world.reset(1)
      const run = await runSteps(world, story({ op: 'crash-at', call, when }))
      if (run.unmetFaults > 0) break
      runs.push({ crash: { call, when }, run })
    }
  }
  return runs
}

const callsOf = (runs: readonly { readonly crash: Crash }[], wanted: Crash['when']) =>
  runs.filter(({ crash }) => crash.when === wanted).length

describe('a service that ends at any call of a report', () => {
  it('records once whatever it was doing, and answers the repeated report', async () => {
    const runs = await atEveryCall((crash) => [...SWAPPED, crash, CONFIRM, REPORT, CONFIRM, CONFIRM, REPORT])
    // The key, the budget, the build, two reads of attributions, three of the chain, and the record.
    expect([callsOf(runs, 'before'), callsOf(runs, 'after')]).toEqual([9, 9])
    for (const { crash, run } of runs) {
      expect(run.log.filter(({ crashed }) => crashed === true)).toHaveLength(1)
      const recordedByThen = crash.call === 8 && crash.when === 'after'
      expect(answersOf(run, 'confirm').map(({ status, body }) => [status, JSON.parse(body)])).toEqual([
        [200, { recorded: true, alreadyRecorded: recordedByThen }],
        [200, { recorded: true, alreadyRecorded: true }],
      ])
      const counts = answersOf(run, 'report').map(({ body }) => JSON.parse(body).confirmedSwaps)
      expect(counts).toEqual([recordedByThen ? 1 : 0, 1])
    }
  })

  it('leaves the build to one transaction, whichever is reported next', async () => {
    const rival: readonly StepInput[] = [
      { op: 'send', build: 'swap', as: 'rival' },
      { op: 'mine', blocks: 13 },
    ]
    const other: StepInput = { ...CONFIRM, tx: 'rival' } as StepInput
    const runs = await atEveryCall((crash) => [...SWAPPED, ...rival, crash, CONFIRM, other, CONFIRM, REPORT])
    for (const { crash, run } of runs) {
      const recordedByThen = crash.call === 8 && crash.when === 'after'
      const statuses = answersOf(run, 'confirm').map(({ status }) => status)
      expect(statuses).toEqual(recordedByThen ? [409, 200] : [200, 409])
      expect(JSON.parse(answersOf(run, 'report')[0]?.body ?? '').confirmedSwaps).toBe(1)
    }
  })
})

describe('a service that ends at any call of a build', () => {
  it('has saved a build or none, and builds, sends and records the next', async () => {
    const runs = await atEveryCall((crash) => [
      crash,
      build('cut'),
      ...SWAPPED,
      { ...CONFIRM, expect: { status: 200, body: { alreadyRecorded: false } } } as StepInput,
      REPORT,
    ])
    // The key, one query of all venues, one simulated settlement, and the saved build.
    expect([callsOf(runs, 'before'), callsOf(runs, 'after')]).toEqual([4, 4])
    for (const { run } of runs) {
      expect(run.log[1]).toMatchObject({ op: 'build', crashed: true, answers: [] })
      expect(run.builds.size).toBe(1)
      expect(JSON.parse(answersOf(run, 'report')[0]?.body ?? '').confirmedSwaps).toBe(1)
    }
  })
})

describe('a service that has ended', () => {
  it('does nothing of what it was about to do, even when its timers would fall due', async () => {
    await world.reset(1)
    const run = await runSteps(world, [
      ...SWAPPED,
      { op: 'line-fault', kind: 'delay', delayMs: 4_000, trips: 1 },
      { op: 'crash-at', call: 5, when: 'after' },
      CONFIRM,
      { op: 'wait', seconds: 100 },
      REPORT,
      CONFIRM,
    ])
    expect(run.log[6]?.crashed).toBe(true)
    expect(JSON.parse(answersOf(run, 'report')[0]?.body ?? '').confirmedSwaps).toBe(0)
    expect(answersOf(run, 'confirm').map(({ status }) => status)).toEqual([200])
  })

  it('takes every request with it that was under way, and answers those that come after', async () => {
    await world.reset(1)
    const reports = [CONFIRM, CONFIRM, CONFIRM].map(() => ({ key: 'one', build: 'swap', tx: 'tx' }))
    const run = await runSteps(world, [
      ...SWAPPED,
      { op: 'crash-at', call: 17, when: 'after' },
      { op: 'race', reports, order: [2, 1, 0, 2, 1, 0, 1, 2, 2, 2, 1] },
      CONFIRM,
      REPORT,
    ])
    expect(run.log[5]).toMatchObject({ op: 'race', crashed: true })
    expect(answersOf(run, 'confirm').map(({ status }) => status)).toEqual([200])
    expect(JSON.parse(answersOf(run, 'report')[0]?.body ?? '').confirmedSwaps).toBe(1)
  })
})
