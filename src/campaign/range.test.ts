import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { firstDifference, marksOf, splitMarks } from './marks.ts'
import { cutRanges, type Progress, type SeedRange, seedsIn } from './range.ts'
import { joinResults, mergeFailures, type RangeResult, seedResult, traceDigest } from './rangeResult.ts'
import { reportOf } from './report.ts'
import { outcomeOfRun } from './simulatedSeeds.ts'
import { madeUpFinishedRun } from './testing/runs.ts'

const START: Progress = {
  ...{ firstSeed: 1, lastSeed: 100_000, plannedTo: 0 },
  ...{ seedsDone: 0, rangesDone: 0, busyMs: 0 },
}

const madeUpOutcome = (seed: number) => outcomeOfRun(madeUpFinishedRun(seed))

/** Returns what a range comes to, in runs without a chain. */
function resultOf({ firstSeed, lastSeed }: SeedRange): RangeResult {
  const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index)
  return joinResults(seeds.map((seed) => seedResult(madeUpOutcome(seed))) as [RangeResult])
}

it('plans short ranges first, and those of twelve seconds once it knows how long a seed takes', () => {
  const first = cutRanges(START)
  expect(first.slice(0, 2)).toEqual([
    { firstSeed: 1, lastSeed: 5 },
    { firstSeed: 6, lastSeed: 10 },
  ])
  const plannedTo = first.at(-1)?.lastSeed as number
  expect(cutRanges({ ...START, plannedTo })).toEqual([])
  const done = {
    ...START,
    plannedTo,
    seedsDone: plannedTo,
    rangesDone: first.length,
    busyMs: plannedTo * 400,
  }
  expect(cutRanges(done)[0]).toEqual({ firstSeed: plannedTo + 1, lastSeed: plannedTo + 30 })
})

it('plans every seed once, and the last range ends with the last seed', () => {
  let progress = { ...START, lastSeed: 3_333 }
  let next = 1
  for (let planned = cutRanges(progress); planned.length > 0; planned = cutRanges(progress)) {
    for (const range of planned) {
      expect(range.firstSeed).toBe(next)
      next = range.lastSeed + 1
      const { seedsDone, rangesDone, busyMs } = progress
      progress = {
        ...progress,
        plannedTo: range.lastSeed,
        seedsDone: seedsDone + seedsIn(range),
        rangesDone: rangesDone + 1,
        busyMs: busyMs + seedsIn(range) * 700,
      }
    }
  }
  expect(next).toBe(3_334)
})

it('gives one report, to the byte, however the seeds were cut into ranges', async () => {
  const reports = await Promise.all(
    [1, 2, 7, 60].map(async (size) => {
      const results: RangeResult[] = []
      for (let firstSeed = 1; firstSeed <= 60; firstSeed += size)
        results.push(resultOf({ firstSeed, lastSeed: Math.min(60, firstSeed + size - 1) }))
      const failures = mergeFailures(results.toReversed().flatMap((each) => each.failures)).map((each) => ({
        ...each,
        shrunk: null,
      }))
      const campaign = { plan: { suite: 'simulate' }, firstSeed: 1, lastSeed: 60 } as const
      return JSON.stringify(await reportOf(campaign, results, failures, () => ({ 'step: mine': 1 })))
    }),
  )
  expect(new Set(reports).size).toBe(1)
  const report = JSON.parse(reports[0] as string)
  const root = createHash('sha256')
  for (let seed = 1; seed <= 60; seed += 1) root.update(traceDigest(madeUpOutcome(seed)))
  expect(report.root).toBe(root.digest('hex'))
  expect(report.failures).toMatchObject([
    { seed: 7, seeds: 8, replay: 'npx plumbline simulate --seed 7 --runs 1' },
  ])
  expect(report.verdict).toBe('does-not-conform')
})

it('gives no root while seeds are left', async () => {
  const campaign = { plan: { suite: 'simulate' }, firstSeed: 1, lastSeed: 9 } as const
  const report = await reportOf(campaign, [resultOf({ firstSeed: 1, lastSeed: 6 })], [], () => ({}))
  expect(report).toMatchObject({ root: null, verdict: 'inconclusive', seeds: { done: 6 } })
})

it('finds the first different entry of a trace by its marks', () => {
  const run = madeUpFinishedRun(9)
  const [, second] = run.log
  const changed = {
    ...run,
    log: run.log.map((entry) => (entry === second ? { ...entry, nowMs: entry.nowMs + 1 } : entry)),
  }
  // The script is entry 0, and the first step entry 1.
  expect(firstDifference(marksOf(outcomeOfRun(run).entries), marksOf(outcomeOfRun(changed).entries))).toBe(2)
  expect(firstDifference(marksOf(outcomeOfRun(run).entries), marksOf(outcomeOfRun(run).entries))).toBeNull()
  const shorter = { ...run, log: run.log.slice(0, -1) }
  expect(firstDifference(marksOf(outcomeOfRun(run).entries), marksOf(outcomeOfRun(shorter).entries))).toBe(
    run.log.length,
  )
  const both = [marksOf(outcomeOfRun(run).entries), marksOf(outcomeOfRun(shorter).entries)]
  expect(splitMarks(Buffer.concat(both))).toEqual(both)
})
