import type { AnyFamily } from '../src/runner/propertyFamily.ts'
import type { Counterexample, PropertyOutcome } from '../src/runner/propertyRun.ts'
import type { Floor } from '../src/runner/verdict.ts'
import type { ServiceSeams } from '../src/service/testing.ts'
import { type InProcessEnvironment, openInProcess } from '../src/targets/inProcess.ts'
import { type Asked, NOTHING_ASKED, sumAsked } from './asked.ts'
import { builds } from './build/family.ts'
import { floorsOf } from './floors.ts'
import { histories } from './history/family.ts'
import { inputs } from './input/family.ts'
import { largeInterleavings, smallInterleavings } from './interleaving/family.ts'
import { memos } from './memo/family.ts'
import { type Hand, type Part, type PartRun, partsOf, runBroken, runPart, type SuiteChoice } from './parts.ts'
import { quotes } from './quote/family.ts'
import { relations } from './relation/family.ts'

export type { Hand, Part, PartRun } from './parts.ts'

/** Every family; those whose cases take long first, so that no hand ends long after the others. */
export const FAMILIES: readonly AnyFamily<InProcessEnvironment>[] = [
  builds,
  histories,
  relations,
  quotes,
  memos,
  inputs,
  smallInterleavings,
  largeInterleavings,
]

export interface SuiteOptions extends SuiteChoice {
  /** What stands in the service's place. */
  readonly seams?: ServiceSeams
  /** Who judges, beside nobody; default: two worlds in this process. */
  readonly hands?: readonly Hand[]
  readonly onPart?: (part: Part) => void
}

/** What a family came to. */
export interface SuiteFamily {
  readonly id: string
  readonly cases: number
  readonly regressions: number
  readonly labels: ReadonlyMap<string, number>
  readonly properties: readonly Omit<PropertyOutcome, 'judged'>[]
}

export interface SuiteRun {
  readonly families: readonly SuiteFamily[]
  /** Over all families. */
  readonly labels: ReadonlyMap<string, number>
  /** The classes that had to be met; none in a part of the suite, or in a run that found something. */
  readonly floors: readonly Floor[]
  /** What was asked of the service. */
  readonly asked: Asked
}

/** One calculates while the other waits for its chain. */
const WORLDS = 2

/**
 * Runs the properties in worlds of their own. Equal seeds give equal cases, counts and labels, whoever judges them.
 *
 * @throws {CaseNotJudgedError}; what `createWorld` throws.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteRun> {
  const { only, budget, seed, seams } = options
  const hands = options.hands ?? (await Promise.all(Array.from({ length: WORLDS }, () => worldHand(options))))
  const runs = await judgeParts(hands, options).finally(() => Promise.all(hands.map((hand) => hand.stop())))
  const found = await smallestCases(runs, seed, seams, options)
  const families = FAMILIES.flatMap((family) => {
    const mine = runs.filter(({ part }) => part.family === family.id)
    return mine.length === 0 ? [] : [mergeParts(family, mine, found, only)]
  })
  const labels = sumOf(families.map((family) => [...family.labels]))
  const asked = runs.map((run) => run.asked).reduce(sumAsked, NOTHING_ASKED)
  const whole = only === undefined && budget !== 'brief'
  const floors = whole && found.size === 0 ? floorsOf(labels, asked, budget) : []
  return { families, labels, floors, asked }
}

/** A world in this process that judges. */
export async function worldHand(options: SuiteChoice & Pick<SuiteOptions, 'seams'>): Promise<Hand> {
  const { environment, stop } = await openInProcess(options.seed, options.seams)
  return {
    run: (part) => runPart(environment, familyOf(part.family), part, options),
    stop,
  }
}

/** @throws {RangeError} there is no such family. */
function familyOf(id: string): AnyFamily<InProcessEnvironment> {
  const family = FAMILIES.find((each) => each.id === id)
  if (family === undefined) throw new RangeError(`there is no family ${id}`)
  return family
}

/** The parts in their order, each judged by whoever is free. */
async function judgeParts(hands: readonly Hand[], options: SuiteOptions): Promise<readonly PartRun[]> {
  const parts = partsOf(FAMILIES, options)
  const runs: PartRun[] = []
  let next = 0
  await Promise.all(
    hands.map(async (hand) => {
      for (let index = next++; index < parts.length; index = next++) {
        const part = parts[index] as Part
        runs[index] = await hand.run(part)
        options.onPart?.(part)
      }
    }),
  )
  return runs
}

/** By property that is broken: its first counterexample, made smaller in a world of its own. */
async function smallestCases(
  runs: readonly PartRun[],
  seed: number,
  seams: ServiceSeams | undefined,
  choice: SuiteChoice,
): Promise<ReadonlyMap<string, Counterexample>> {
  const found = new Map<string, Counterexample>()
  const broken = runs.flatMap(({ part, broken: each }) =>
    Object.entries(each).map(([property, number]) => ({ family: part.family, property, number })),
  )
  if (broken.length === 0) return found
  const { environment, stop } = await openInProcess(seed, seams)
  try {
    for (const { family, property, number } of broken) {
      if (found.has(property)) continue
      const again = await runBroken(environment, familyOf(family), property, number, choice)
      const counterexample = again.properties[0]?.counterexample
      if (!counterexample) throw new RangeError(`${property}: case ${number} broke it in one world only`)
      found.set(property, counterexample)
    }
  } finally {
    await stop()
  }
  return found
}

/** A property asks no more once it is broken, whatever was judged beside that. */
function mergeParts(
  family: AnyFamily<InProcessEnvironment>,
  parts: readonly PartRun[],
  found: ReadonlyMap<string, Counterexample>,
  only: ReadonlySet<string> | undefined,
): SuiteFamily {
  const properties = family.properties
    .filter(({ id }) => only?.has(id) ?? true)
    .map(({ id }) => {
      const first = parts.findIndex(({ broken }) => id in broken)
      const asked = first === -1 ? parts : parts.slice(0, first + 1)
      const questions = asked.reduce((sum, part) => sum + (part.questions[id] ?? 0), 0)
      return { id, questions, counterexample: found.get(id) ?? null }
    })
  return {
    id: family.id,
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    regressions: parts.reduce((sum, { regressions }) => sum + regressions, 0),
    labels: sumOf(parts.map(({ labels }) => labels)),
    properties,
  }
}

function sumOf(counts: readonly (readonly (readonly [string, number])[])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [label, count] of counts.flat()) sums.set(label, (sums.get(label) ?? 0) + count)
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}
