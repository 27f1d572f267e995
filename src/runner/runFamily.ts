import fc from 'fast-check'
import { split } from '../simulation/seed.ts'
import { PlumblineError } from '../spec/errors.ts'
import { BlamedError } from '../targets/blame.ts'
import { createEvidenceRecorder, type Judged, recordJudged } from '../targets/evidence.ts'
import type { Counterexample } from './counterexample.ts'
import type { KeptFailure } from './failures.ts'
import type { AnyFamily, Budget, Family, Property } from './family.ts'
import { sumLabels } from './floors.ts'
import { runFamilyCase } from './runFamilyCase.ts'
import { shrinkCounterexample } from './shrinkCase.ts'

/** What decides the cases of a run, and which properties judge them. */
export interface FamilyChoice {
  readonly seed: number
  readonly budget: Budget
  /** Generates so many cases instead. */
  readonly cases?: number
  /** Ids of the properties to judge. Default: all of the family. */
  readonly only?: ReadonlySet<string>
  /** Counterexamples that were found earlier; they are run first. */
  readonly failures?: readonly KeptFailure[]
  /** At most so many smaller cases are run for a counterexample; default: as many as the family says. */
  readonly shrinkTriesMax?: number
}

/** Cases of a family by their numbers: from the first on, and before the second. */
export interface CaseRange {
  readonly from: number
  readonly to: number
}

/** How often each class of cases was met, in the order of their names. */
export type LabelCounts = readonly (readonly [string, number])[]

export interface PropertyOutcome {
  readonly id: string
  /** How often the property applied. */
  readonly exercised: number
  /** The verdicts that it gave, by requirement; of the generated cases alone. */
  readonly judged: readonly Judged[]
  readonly counterexample: Counterexample | null
}

/** What cases of a family came to, as plain data. */
export interface FamilyRun {
  readonly id: string
  readonly cases: number
  /** How many kept failures were run. */
  readonly failures: number
  readonly labels: LabelCounts
  readonly properties: readonly PropertyOutcome[]
}

/** The environment, or a judge, failed in a case: nothing is known of the target. */
class CaseNotJudgedError extends PlumblineError {
  override readonly name = 'CaseNotJudgedError'
  constructor(family: string, input: unknown, cause: unknown) {
    const problem = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    super(
      `${family}: the case ${JSON.stringify(input)} could not be judged: ${problem}`,
      'This is a bug in Plumbline. Please report it with the case above.',
    )
  }
}

/**
 * Runs a family: kept failures first, then the cases that the seed generates. Every property is judged until it fails
 * once; its counterexample is then shrunk. Equal seeds give equal cases, counts and labels.
 *
 * @throws {CaseNotJudgedError}; a BlamedError of the target or its chain.
 */
export async function runFamily<Context>(
  family: AnyFamily<Context>,
  context: Context,
  { shrink = true, ...choice }: FamilyChoice & { readonly shrink?: boolean },
): Promise<FamilyRun> {
  const run = await judgeCases(family, context, choice)
  if (!shrink) return run
  const properties: PropertyOutcome[] = []
  for (const outcome of run.properties) {
    const { counterexample: found } = outcome
    const counterexample = found && (await shrinkFound(family, context, choice, found))
    properties.push({ ...outcome, counterexample })
  }
  return { ...run, properties }
}

/**
 * Judges cases of a family, and shrinks nothing. Kept failures run with the first case.
 *
 * @param range default: all cases.
 * @param countsOf what the newest case did, by label; it is counted with the classes of the cases.
 * @throws {CaseNotJudgedError}; a BlamedError of the target or its chain.
 */
export function judgeCases<Context>(
  any: AnyFamily<Context>,
  context: Context,
  choice: FamilyChoice,
  { from, to }: CaseRange = { from: 0, to: Number.POSITIVE_INFINITY },
  countsOf: () => LabelCounts = () => [],
): Promise<FamilyRun> {
  return any.use(async (family) => {
    const states = family.properties
      .filter(({ id }) => choice.only?.has(id) ?? true)
      .map((property) => ({ property, evidence: createEvidenceRecorder(), exercised: 0, found: noneYet() }))
    const open = () => states.filter(({ found }) => found === null)
    const unshrunk = { tries: 0, exhausted: false, irrelevant: [] }
    let failures = 0
    for (const { property, case: kept, file } of from === 0 ? (choice.failures ?? []) : []) {
      const state = open().find((each) => each.property.id === property)
      if (state === undefined) continue
      const input = family.schema.safeParse(kept)
      if (!input.success) throw new CaseNotJudgedError(family.id, kept, input.error)
      failures += 1
      const [broken] = (await judgeCase(family, context, input.data, [state.property])).broken
      if (broken !== undefined) state.found = { ...broken, ...unshrunk, input: kept, file, generated: null }
    }
    const labels: LabelCounts[] = []
    const inputs = generate(family, choice).slice(from, to)
    for (const [index, input] of inputs.entries()) {
      const judging = open()
      if (judging.length === 0) break
      const properties = judging.map(({ property }) => property)
      const { observed, exercised, judged, broken } = await judgeCase(family, context, input, properties)
      labels.push([...[...family.labels(observed)].map((label) => [label, 1] as const), ...countsOf()])
      for (const state of judging) {
        const { id } = state.property
        state.exercised += exercised[id] ?? 0
        await state.evidence.collect(async () => recordJudged(judged[id] ?? []))
        const own = broken.find(({ property }) => property === id)
        if (own === undefined) continue
        state.found = { ...own, ...unshrunk, input: input as never, file: null, generated: from + index }
      }
    }
    return {
      id: family.id,
      cases: labels.length,
      failures,
      labels: [...sumLabels(labels)],
      properties: states.map(({ property: { id }, exercised, evidence, found }) => ({
        id,
        exercised,
        judged: evidence.judged(),
        counterexample: found,
      })),
    }
  })
}

const noneYet = (): Counterexample | null => null

/** Shrinks a counterexample that `judgeCases` found. A kept failure was shrunk when it was found. */
export function shrinkFound<Context>(
  any: AnyFamily<Context>,
  context: Context,
  choice: FamilyChoice,
  found: Counterexample,
): Promise<Counterexample> {
  if (found.generated === null) return Promise.resolve(found)
  return any.use((family) =>
    shrinkCounterexample(family, context, found, generate(family, choice), choice.shrinkTriesMax),
  )
}

/** How many cases a budget generates of a family. */
export function casesOf<Context>(any: AnyFamily<Context>, budget: Budget): number {
  return any.use((family) => everyOf(family, budget)?.length ?? runsOf(family, budget))
}

type CaseSource<Case> = Pick<Family<never, Case, never>, 'runs' | 'every'>

function runsOf({ runs }: CaseSource<unknown>, budget: Budget): number {
  return budget === 'brief' ? Math.ceil(runs.quick / 3) : runs[budget]
}

/** All cases there are, where they can be enumerated and so many are wanted; otherwise null. */
function everyOf<Case>(family: CaseSource<Case>, budget: Budget, wanted = runsOf(family, budget)) {
  return family.every !== undefined && family.every.length <= wanted ? family.every : null
}

/** What was generated last of each family: whoever judges its cases in parts generates once. */
const lastGenerated = new WeakMap<object, { readonly of: string; readonly cases: readonly unknown[] }>()

function generate<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  { seed, budget, cases: numRuns = runsOf(family, budget) }: FamilyChoice,
): readonly Case[] {
  const of = `${numRuns} of ${seed}`
  const last = lastGenerated.get(family)
  if (last?.of === of) return last.cases as readonly Case[]
  const generated =
    everyOf(family, budget, numRuns) ??
    fc.sample(family.cases, { seed: split(seed, `property.${family.id}`).uint32() | 0, numRuns })
  // What is judged is what a kept failure would hold: without anything that JSON does not have.
  const made = generated.map((input) => JSON.parse(JSON.stringify(input)) as Case)
  lastGenerated.set(family, { of, cases: made })
  return made
}

/** An error that knows whom it blames is passed on. */
async function judgeCase<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  input: Case,
  properties: readonly Property<Observed>[],
) {
  try {
    return await runFamilyCase(family, context, input, properties)
  } catch (error) {
    throw error instanceof BlamedError ? error : new CaseNotJudgedError(family.id, input, error)
  }
}
