import type { AnyFamily, Budget } from '../src/harness/propertyFamily.ts'
import type { Regression } from '../src/harness/propertyRegressions.ts'
import { type FamilyRun, runFamily } from '../src/harness/propertyRun.ts'
import type { ServiceSeams } from '../src/simulation/seams.ts'
import { builds } from './build/family.ts'
import { missedFloors } from './floors.ts'
import { histories } from './history/family.ts'
import { inputs } from './input/family.ts'
import { largeInterleavings, smallInterleavings } from './interleaving/family.ts'
import { Lab } from './lab.ts'
import { memos } from './memo/family.ts'
import { quotes } from './quote/family.ts'
import { relations } from './relation/family.ts'

/** Families that share a world run one after another; the lanes run side by side. */
const LANES: readonly (readonly AnyFamily<Lab>[])[] = [
  [quotes, relations, memos, inputs, smallInterleavings, largeInterleavings],
  [builds, histories],
]

export const FAMILIES: readonly AnyFamily<Lab>[] = LANES.flat()

export interface SuiteOptions {
  readonly seed: number
  readonly budget: Budget
  /** Properties to judge; default: all. */
  readonly only?: ReadonlySet<string>
  readonly regressions: readonly Regression[]
  /** What stands in the service's place. */
  readonly seams?: ServiceSeams
  readonly onCase?: (family: string, done: number, of: number) => void
}

export interface SuiteRun {
  readonly families: readonly FamilyRun[]
  /** Over all families. */
  readonly labels: ReadonlyMap<string, number>
  /** Classes met too rarely; of a part of the suite, or of one that found something, nothing is demanded. */
  readonly missed: readonly string[]
  /** What was asked of the service. */
  readonly asked: Readonly<Lab['tally']>
}

/**
 * Runs the properties in worlds of their own. Equal seeds give equal cases, counts and labels.
 *
 * @throws {CaseNotJudgedError}; what `createWorld` throws.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteRun> {
  const { only, budget } = options
  const chosen = LANES.map((lane) =>
    lane.filter(({ properties }) => properties.some(({ id }) => only?.has(id) ?? true)),
  ).filter((lane) => lane.length > 0)
  const lanes = await Promise.all(chosen.map((lane) => runLane(lane, options)))
  const families = lanes.flatMap(({ runs }) => runs)
  const labels = new Map<string, number>()
  for (const run of families)
    for (const [label, count] of run.labels) labels.set(label, (labels.get(label) ?? 0) + count)
  const whole = only === undefined && budget !== 'brief'
  const clean = families.every(({ properties }) =>
    properties.every(({ counterexample }) => counterexample === null),
  )
  const asked = { quotes: 0, builds: 0, confirms: 0, swaps: 0 }
  for (const { tally } of lanes)
    for (const name of Object.keys(asked) as (keyof typeof asked)[]) asked[name] += tally[name]
  return { families, labels, missed: whole && clean ? missedFloors(labels) : [], asked }
}

async function runLane(lane: readonly AnyFamily<Lab>[], options: SuiteOptions) {
  const { seed, budget, only, regressions, seams, onCase } = options
  const lab = await Lab.open(seed, seams)
  try {
    const runs: FamilyRun[] = []
    for (const family of lane) {
      runs.push(
        await runFamily(family, lab, {
          seed,
          budget,
          regressions,
          ...(only === undefined ? {} : { only }),
          ...(onCase === undefined
            ? {}
            : { onCase: (done: number, of: number) => onCase(family.id, done, of) }),
        }),
      )
    }
    return { runs, tally: lab.tally }
  } finally {
    await lab.close()
  }
}
