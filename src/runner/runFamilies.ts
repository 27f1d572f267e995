import type { Floor } from '../reporting/results.ts'
import type { KeptFailure } from './failures.ts'
import type { AnyFamily, Budget } from './family.ts'
import { floorsOf, sumLabels } from './floors.ts'
import {
  type Counterexample,
  casesOf,
  type FamilyRun,
  type FamilyRunOptions,
  runFamily,
} from './runFamily.ts'
import { runInOrder, type Worker } from './workers.ts'

/** So many cases of a family are one task, so that what is found does not depend on the number of workers. */
const CASES_OF_A_PART = 12

/** Some cases of a family, in the order in which they were generated. */
export interface Part {
  readonly family: string
  readonly from: number
  readonly to: number
}

/** A case that broke a property, to be shrunk; `number` -1: a kept failure broke it. */
interface BrokenCase {
  readonly family: string
  readonly property: string
  readonly number: number
}

/** What a worker runs for families. Plain data. */
export type FamilyTask =
  | { readonly kind: 'judge'; readonly part: Part }
  | ({ readonly kind: 'shrink' } & BrokenCase)

/** What a part came to, as plain data that can pass from one process to another. */
export interface PartRun {
  readonly cases: number
  readonly failures: number
  readonly labels: readonly (readonly [string, number])[]
  readonly exercised: Readonly<Record<string, number>>
  /** By property that is broken: the number of the first case that breaks it; -1: a kept failure does. */
  readonly broken: Readonly<Record<string, number>>
}

/** A part's run, or the shrunk counterexample of a broken case. */
export type FamilyResult = PartRun | Counterexample

export type FamilyWorker = Worker<FamilyTask, FamilyResult>

/** What decides the cases of a run, and which properties judge them. */
export interface FamiliesChoice {
  readonly seed: number
  readonly budget: Budget
  /** Ids of properties. Default: all. */
  readonly only?: ReadonlySet<string>
  readonly failures: readonly KeptFailure[]
}

export interface FamiliesRunOptions extends FamiliesChoice {
  /** How often each class of cases must be met; a run that found something need not. */
  readonly floors: Readonly<Record<string, number>>
  readonly onPart?: (part: Part) => void
}

/** What a family came to, over all its parts. */
export interface FamilyTotals extends Pick<FamilyRun, 'id' | 'cases' | 'failures' | 'labels'> {
  readonly properties: readonly Omit<FamilyRun['properties'][number], 'judged'>[]
}

export interface FamiliesRun {
  readonly families: readonly FamilyTotals[]
  /** Over all families. */
  readonly labels: ReadonlyMap<string, number>
  readonly floors: readonly Floor[]
}

/**
 * Runs families in parts, on whichever worker is free; what breaks a property is shrunk afterwards. Equal seeds give
 * equal cases, counts and labels, for any number of workers.
 *
 * @throws what `runFamily` throws.
 */
export async function runFamilies(
  families: readonly AnyFamily<never>[],
  workers: readonly FamilyWorker[],
  options: FamiliesRunOptions,
): Promise<FamiliesRun> {
  const { only, floors, onPart = () => {} } = options
  const parts = partsOf(families, options)
  const judge = parts.map((part) => ({ kind: 'judge', part }) as const)
  const runs = (await runInOrder(workers, judge, (_run, index) =>
    onPart(parts[index] as Part),
  )) as readonly PartRun[]
  const broken = new Map<string, BrokenCase>()
  for (const [index, { family }] of parts.entries()) {
    for (const [property, number] of Object.entries(runs[index]?.broken ?? {})) {
      if (!broken.has(property)) broken.set(property, { family, property, number })
    }
  }
  const shrink = [...broken.values()].map((each) => ({ kind: 'shrink', ...each }) as const)
  const counterexamples = (await runInOrder(workers, shrink)) as readonly Counterexample[]
  const found = new Map(counterexamples.map((each) => [each.property, each]))
  const totals = families.flatMap((family) => {
    const mine = runs.filter((_, index) => parts[index]?.family === family.id)
    return mine.length === 0 ? [] : [totalsOf(family, mine, found, only)]
  })
  const labels = sumLabels(totals.map((each) => each.labels))
  return { families: totals, labels, floors: found.size === 0 ? floorsOf(floors, labels) : [] }
}

/** The cases of these families in parts, those of a long family early. */
export function partsOf(
  families: readonly AnyFamily<never>[],
  { budget, only }: Pick<FamiliesChoice, 'budget' | 'only'>,
): readonly Part[] {
  return families
    .filter(({ properties }) => properties.some(({ id }) => only?.has(id) ?? true))
    .flatMap((family) => {
      const cases = casesOf(family, budget)
      return Array.from({ length: Math.ceil(cases / CASES_OF_A_PART) }, (_, part) => {
        const from = part * CASES_OF_A_PART
        return { family: family.id, from, to: Math.min(cases, from + CASES_OF_A_PART) }
      })
    })
}

/**
 * Runs one task for these families. The first part of a family runs the kept failures too; nothing in a part is shrunk.
 *
 * @param counts What the newest case did in this environment, by label; it is counted with the classes of the part.
 * @throws what `runFamily` throws.
 */
export async function runFamilyTask<Context>(
  families: readonly AnyFamily<Context>[],
  context: Context,
  choice: FamiliesChoice,
  task: FamilyTask,
  counts: () => Readonly<Record<string, number>> = () => ({}),
): Promise<FamilyResult> {
  const id = task.kind === 'judge' ? task.part.family : task.family
  const family = families.find((each) => each.id === id)
  if (family === undefined) throw new RangeError(`there is no family ${id}`)
  if (task.kind === 'shrink') return shrinkBroken(family, context, choice, task)
  const { part } = task
  const failures = part.from === 0 ? choice.failures : []
  const counted: (readonly [string, number])[] = []
  const onCase = () => counted.push(...Object.entries(counts()))
  const run = await runFamily(family, context, { ...choice, failures, part, shrink: false, onCase })
  return {
    cases: run.cases,
    failures: run.failures,
    labels: [...sumLabels([run.labels, counted])],
    exercised: Object.fromEntries(run.properties.map((each) => [each.id, each.exercised])),
    broken: Object.fromEntries(
      run.properties.flatMap(({ id: property, counterexample }) =>
        counterexample === null ? [] : [[property, counterexample.generated ?? -1]],
      ),
    ),
  }
}

/** The same case for one property that it broke, shrunk this time. */
async function shrinkBroken<Context>(
  family: AnyFamily<Context>,
  context: Context,
  { seed, budget, failures }: FamiliesChoice,
  { property, number }: BrokenCase,
): Promise<Counterexample> {
  const options: FamilyRunOptions =
    number < 0
      ? { seed, budget, failures, part: { from: 0, to: 0 } }
      : { seed, budget, part: { from: number, to: number + 1 } }
  const run = await runFamily(family, context, { ...options, only: new Set([property]) })
  const counterexample = run.properties[0]?.counterexample
  if (!counterexample) throw new RangeError(`${property}: case ${number} broke it only once`)
  return counterexample
}

/** A property is judged no more once it is broken, whatever other parts judged. */
function totalsOf(
  family: AnyFamily<never>,
  parts: readonly PartRun[],
  found: ReadonlyMap<string, Counterexample>,
  only: ReadonlySet<string> | undefined,
): FamilyTotals {
  const properties = family.properties
    .filter(({ id }) => only?.has(id) ?? true)
    .map(({ id }) => {
      const first = parts.findIndex(({ broken }) => id in broken)
      const judged = first === -1 ? parts : parts.slice(0, first + 1)
      const exercised = judged.reduce((sum, part) => sum + (part.exercised[id] ?? 0), 0)
      return { id, exercised, counterexample: found.get(id) ?? null }
    })
  return {
    id: family.id,
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    failures: parts.reduce((sum, { failures }) => sum + failures, 0),
    labels: sumLabels(parts.map(({ labels }) => labels)),
    properties,
  }
}
