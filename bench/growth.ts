import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from 'simple-statistics'
import { conformanceCases } from '../conformance/index.ts'
import { readRun } from '../src/cli/report/readRun.ts'
import { writeReport } from '../src/cli/report/writeReport.ts'
import { manyResults } from '../src/cli/testing/manyResults.ts'
import { parseRecording, renderRecording } from '../src/recordings/format/file.ts'
import { recordScript } from '../src/recordings/record/recordScript.ts'
import { compareRecordings } from '../src/recordings/timeline/compareRecordings.ts'
import { verifyRecording } from '../src/recordings/verify/verifyRecording.ts'
import { table } from '../src/reporting/document/textTable.ts'
import { compareRuns } from '../src/reporting/report/compareRuns.ts'
import { suiteOf } from '../src/runner/plan/plan.ts'
import { runSuites } from '../src/runner/run/run.ts'
import type { StepInput } from '../src/simulation/steps/steps.ts'
import { createWorld, type World } from '../src/simulation/world/world.ts'
import { UsageError } from '../src/spec/errors.ts'
import { BLOCKS, liveOnce } from './lifecycle.ts'
import { sample } from './measure.ts'

/** Measures one kind of work at the current size. @param prepare runs before each sample, untimed */
export type Measure = (name: string, work: () => unknown, prepare?: () => unknown) => Promise<void>

/** Kinds of work whose cost depends on the same size. */
export interface Sized {
  readonly sizes: readonly number[]
  /** Prepares one size, and measures all work at it. */
  readonly at: (size: number, measure: Measure) => Promise<void>
}

const SAMPLES = 5
/** Executing a quote again takes two million gas, and a file may execute two thousand million. */
const EXECUTED_STEPS_MAX = 300
/** Steps per period: the first five are a lifecycle, the others quotes, as from a client that watches prices. */
const PERIOD = 25
/** A short case that each copy runs. */
const COPIED = 'quote.route.market'

/** Kinds of work by the unit of their size. */
export const SIZED: Readonly<Record<string, Sized>> = {
  cases: {
    sizes: [10, 100, 1_000],
    at: async (size, measure) => {
      const copied = conformanceCases().find(({ id }) => id === COPIED)
      if (copied === undefined) throw new RangeError(`there is no case ${COPIED}`)
      const copies = Array.from({ length: size }, (_, index) => ({ ...copied, id: `${COPIED}.${index}` }))
      await measure('a run', async () => {
        const { result } = await runSuites({
          command: 'bench',
          suites: [suiteOf('conformance', () => copies)],
          target: 'reference',
          options: {},
          seed: 1,
          replay: ({ id }) => `npx plumbline conform reference --only ${id}`,
        })
        const passed = result.suites.flatMap((suite) => suite.cases).filter(({ status }) => status === 'pass')
        if (passed.length !== size) throw new Error(`${passed.length} of ${size} cases passed`)
      })
    },
  },
  blocks: {
    sizes: [10, 100, 1_000, 10_000],
    at: (size, measure) =>
      inWorld({ stateRoots: false }, async (world) => {
        const grow = async () => {
          await world.reset(1)
          await world.mine(size)
        }
        await measure(`mine ${BLOCKS} blocks on a chain`, () => world.sandbox.chain.mine(BLOCKS), grow)
        await measure('a lifecycle on a chain', () => liveOnce(world), grow)
        await measure('reset of a world', () => world.reset(1), grow)
      }),
  },
  results: {
    sizes: [100, 1_000, 10_000, 100_000],
    at: async (size, measure) => {
      const results = manyResults(size)
      const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
      try {
        writeFileSync(join(folder, 'results.json'), JSON.stringify(results))
        await measure('write the report of a run', () => writeReport(results, folder, {}, { err: () => {} }))
        await measure('read a run', () => readRun(folder))
        await measure('compare two runs', () => compareRuns(results, results, 'another'))
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
  steps: {
    sizes: [10, 100, 1_000, 10_000],
    at: (size, measure) =>
      inWorld({ stateRoots: true }, async (world) => {
        const script = { name: 'bench', seed: 1, steps: stepsOf(size) }
        const recording = await recordScript(world, script)
        const text = renderRecording(recording)
        const side = { name: 'bench', recording }
        await measure('record a script', () => recordScript(world, script))
        await measure('write a recording', () => renderRecording(recording))
        await measure('read a recording', () => parseRecording(text))
        await measure('verify a recording, not executed', () => verifyRecording(text, { execute: false }))
        if (size <= EXECUTED_STEPS_MAX) await measure('verify a recording', () => verifyRecording(text))
        await measure('compare two recordings', () => compareRecordings(side, side))
      }),
  },
}

export const KINDS: readonly string[] = Object.keys(SIZED)

/**
 * Prints the growth of costs with sizes: medians in ms, and the ratio of each to the previous one.
 *
 * @param kinds kinds to measure; empty: all.
 * @param largest maximum size.
 * @throws {UsageError} if a kind is unknown.
 */
export async function benchGrowth(kinds: readonly string[], largest: number): Promise<void> {
  const unknown = kinds.find((kind) => SIZED[kind] === undefined)
  if (unknown !== undefined)
    throw new UsageError(`nothing is measured by ${unknown}`, `Choose of ${KINDS.join(', ')}.`)
  for (const [kind, { sizes, at }] of Object.entries(SIZED)) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue
    const fitting = sizes.filter((size) => size <= largest)
    const rows = new Map<string, readonly number[]>()
    for (const size of fitting) {
      console.error(`measuring ${size.toLocaleString('en')} ${kind}`)
      await at(size, async (name, work, prepare) => {
        // The first time is slower, because the code is not compiled yet.
        const times = (await sample(1 + SAMPLES, work, prepare)).slice(1)
        rows.set(name, [...(rows.get(name) ?? []), median(times)])
      })
    }
    console.log(
      table(
        [`ms by ${kind}`, ...fitting.map((size) => size.toLocaleString('en'))],
        [...rows].map(([name, medians]) => [name, ...withGrowth(medians)]),
        ['left', ...fitting.map(() => 'right' as const)],
      ),
    )
  }
}

/** Returns each figure with its ratio to the previous one. */
function withGrowth(medians: readonly number[]): readonly string[] {
  return medians.map((ms, index) => {
    const before = medians[index - 1]
    return before === undefined ? shown(ms) : `${shown(ms)} (×${shown(ms / before)})`
  })
}

function shown(figure: number): string {
  return String(Number(figure.toPrecision(3)))
}

async function inWorld(
  { stateRoots }: { readonly stateRoots: boolean },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await createWorld({ seed: 1, stateRoots })
  try {
    await work(world)
  } finally {
    await world.stop()
  }
}

/** Returns the steps of whole lifecycles (quote, build, swap, the blocks that make it deep, report) with quotes in between. */
function stepsOf(size: number): readonly StepInput[] {
  const lifecycles = Array.from({ length: Math.ceil(size / PERIOD) }, (_, index): readonly StepInput[] => {
    const [build, tx] = [`build-${index}`, `swap-${index}`]
    const trade = { from: 'ETH', to: 'USDG', amount: 0.01 }
    const quotes = Array.from({ length: PERIOD - 5 }, (_, later): StepInput => {
      const query = { ...trade, amount: (later + 2) / 100 }
      return { op: 'quote', key: 'one', query, expect: { status: 200 } }
    })
    return [
      { op: 'quote', key: 'one', query: trade, expect: { status: 200 } },
      { op: 'build', as: build, key: 'one', sender: 'alice', body: trade, expect: { status: 200 } },
      { op: 'send', build, as: tx },
      { op: 'mine', blocks: BLOCKS },
      { op: 'confirm', key: 'one', build, tx, expect: { status: 200 } },
      ...quotes,
    ]
  })
  return lifecycles.flat().slice(0, size)
}
