import type { Floor } from '../reporting/results.ts'
import type { Counterexample } from './counterexample.ts'
import type { KeptFailure } from './failures.ts'
import type { AnyFamily } from './family.ts'
import { floorsOf, sumLabels } from './floors.ts'
import {
  type CaseRange,
  casesOf,
  type FamilyChoice,
  type FamilyRun,
  judgeCases,
  type LabelCounts,
  shrinkFound,
} from './runFamily.ts'

import { runInOrder, type Worker } from './workers.ts'

/** So many cases of a family are one task, so that what is found does not depend on the number of workers. */
const CASES_OF_A_PART = 12

/** Some cases of a family, in the order in which they were generated. */
export interface Part extends CaseRange {
  readonly family: string
}

/** What a worker runs for families. Plain data. */
export type FamilyTask =
  | { readonly kind: 'judge'; readonly part: Part }
  | { readonly kind: 'shrink'; readonly family: string; readonly found: Counterexample }

/** What a part came to, or a shrunk counterexample. */
export type FamilyResult = FamilyRun | Counterexample

export type FamilyWorker = Worker<FamilyTask, FamilyResult>

/** What decides the cases of all families. */
export interface FamiliesChoice extends Pick<FamilyChoice, 'seed' | 'budget' | 'only'> {
  readonly failures: readonly KeptFailure[]
}

export interface FamiliesRunOptions extends FamiliesChoice {
  /** How often each class of cases must be met; a run that found something need not. */
  readonly floors: Readonly<Record<string, number>>
  readonly onPart?: (part: Part) => void
}

/** What a family came to, over all its parts. */
export interface FamilyTotals extends Pick<FamilyRun, 'id' | 'cases'> {
  readonly labels: ReadonlyMap<string, number>
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
 * @throws what `judgeCases` throws.
 */
export async function runFamilies(
  families: readonly AnyFamily<never>[],
  workers: readonly FamilyWorker[],
  options: FamiliesRunOptions,
): Promise<FamiliesRun> {
  const { floors, onPart = () => {} } = options
  const parts = partsOf(families, options)
  const judge = parts.map((part) => ({ kind: 'judge', part }) as const)
  const report = (_run: unknown, index: number) => onPart(parts[index] as Part)
  const runs = (await runInOrder(workers, judge, report)) as readonly FamilyRun[]
  const totals = families.flatMap(({ id }) => {
    const mine = runs.filter((run) => run.id === id)
    return mine.length === 0 ? [] : [totalsOf(mine)]
  })
  const shrink = totals.flatMap(({ id: family, properties }) =>
    properties.flatMap(({ counterexample: found }) =>
      found === null ? [] : [{ kind: 'shrink', family, found } as const],
    ),
  )
  const shrunk = (await runInOrder(workers, shrink)) as readonly Counterexample[]
  const labels = sumLabels(totals.map((each) => each.labels))
  return {
    families: totals.map((family) => ({
      ...family,
      properties: family.properties.map((each) => ({
        ...each,
        counterexample: shrunk.find(({ property }) => property === each.id) ?? null,
      })),
    })),
    labels,
    floors: shrunk.length === 0 ? floorsOf(floors, labels) : [],
  }
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
 * Runs one task for these families.
 *
 * @param countsOf What the newest case did in this environment, by label; it is counted with the classes of the part.
 * @throws what `judgeCases` throws.
 */
export async function runFamilyTask<Context>(
  families: readonly AnyFamily<Context>[],
  context: Context,
  choice: FamiliesChoice,
  task: FamilyTask,
  countsOf?: () => LabelCounts,
): Promise<FamilyResult> {
  const id = task.kind === 'judge' ? task.part.family : task.family
  const family = families.find((each) => each.id === id)
  if (family === undefined) throw new RangeError(`there is no family ${id}`)
  return task.kind === 'judge'
    ? judgeCases(family, context, choice, task.part, countsOf)
    : shrinkFound(family, context, choice, task.found)
}

/** The parts of a family as one. A property is judged no more once it is broken, whatever other parts judged. */
function totalsOf(parts: readonly FamilyRun[]): FamilyTotals {
  const [{ id, properties }] = parts as [FamilyRun]
  return {
    id,
    cases: parts.reduce((sum, { cases }) => sum + cases, 0),
    labels: sumLabels(parts.map(({ labels }) => labels)),
    properties: properties.map(({ id: property }) => {
      const outcomes = parts.flatMap((part) => part.properties.find((each) => each.id === property) ?? [])
      const first = outcomes.findIndex(({ counterexample }) => counterexample !== null)
      const judged = first === -1 ? outcomes : outcomes.slice(0, first + 1)
      const exercised = judged.reduce((sum, outcome) => sum + outcome.exercised, 0)
      return { id: property, exercised, counterexample: outcomes[first]?.counterexample ?? null }
    }),
  }
}
