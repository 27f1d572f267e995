import fc from 'fast-check'
import { split } from '../../simulation/seed.ts'
import { BlamedError, PromiseBrokenError } from '../../targets/blame.ts'
import { createEvidenceRecorder, type Judged, recordJudged } from '../../targets/evidence/evidence.ts'
import { HarnessError } from '../harnessError.ts'
import { sumLabels } from '../verdict/floors.ts'
import type { KeptFailure } from './failures.ts'
import type { AnyFamily, Budget, Family, Property } from './family.ts'
import { type Counterexample, runFamilyCase } from './runFamilyCase.ts'
import { shrinkCounterexample } from './shrinkCase.ts'

/** Selects the cases of a run, and the properties that judge them. */
export interface FamilyChoice {
  readonly seed: number
  readonly budget: Budget
  /** Number of cases to generate, in place of the budget's. */
  readonly cases?: number
  /** Ids of the properties to judge. Default: all of the family. */
  readonly only?: ReadonlySet<string>
  /** Counterexamples found earlier; they are run first. */
  readonly failures?: readonly KeptFailure[]
  /** Maximum number of candidates run to shrink a counterexample. Default: the family's. */
  readonly shrinkTriesMax?: number
  /** True if counterexamples are shrunk. Default: yes. */
  readonly shrink?: boolean
  /** Returns counts of what the newest case did, by label; they are added to the classes of the cases. */
  readonly countsOf?: () => LabelCounts
}

/** Counts by class of cases, sorted by name. */
export type LabelCounts = readonly (readonly [string, number])[]

export interface PropertyOutcome {
  readonly id: string
  /** Number of times that the property applied. */
  readonly exercised: number
  /** Its verdicts, by requirement, of the generated cases alone. */
  readonly judged: readonly Judged[]
  readonly counterexample: Counterexample | null
}

/** Result of running cases of a family. Plain data. */
export interface FamilyRun {
  readonly id: string
  readonly cases: number
  /** Number of kept failures that were run. */
  readonly failures: number
  readonly labels: LabelCounts
  readonly properties: readonly PropertyOutcome[]
}

/**
 * Runs a family: kept failures first, then the cases that the seed generates. Every property is judged until it fails once; its
 * counterexample is then shrunk. Equal seeds give equal cases, counts and labels.
 *
 * @throws {HarnessError | BlamedError} a case cannot be judged.
 * @throws {PromiseBrokenError} a response cannot be read, such as one that is cut off.
 */
export function runFamily<Context>(
  any: AnyFamily<Context>,
  context: Context,
  choice: FamilyChoice,
): Promise<FamilyRun> {
  return any.use(async (family) => {
    const inputs = generate(family, choice)
    const run = await judgeCases(family, context, choice, inputs)
    const properties: PropertyOutcome[] = []
    for (const outcome of run.properties) {
      const { counterexample: found } = outcome
      // A kept failure was shrunk when it was found.
      const asFound = found === null || found.generated === null || choice.shrink === false
      const counterexample = asFound
        ? found
        : await shrinkCounterexample(family, context, found, inputs, choice.shrinkTriesMax)
      properties.push({ ...outcome, counterexample })
    }
    return { ...run, properties }
  })
}

/** Judges kept failures, then these cases. */
async function judgeCases<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  { only, failures: known = [], countsOf = () => [] }: FamilyChoice,
  inputs: readonly Case[],
): Promise<FamilyRun> {
  const states = family.properties
    .filter(({ id }) => only?.has(id) ?? true)
    .map((property) => ({
      property,
      evidence: createEvidenceRecorder(),
      exercised: 0,
      found: null as Counterexample | null,
    }))
  const open = () => states.filter(({ found }) => found === null)
  const unshrunk = { tries: 0, exhausted: false, irrelevant: [] }
  let failures = 0
  for (const { property, case: kept, file } of known) {
    const state = open().find((each) => each.property.id === property)
    if (state === undefined) continue
    const input = family.schema.safeParse(kept)
    if (!input.success) throw notJudged(family.id, kept, input.error)
    failures += 1
    const [broken] = (await judgeCase(family, context, input.data, [state.property])).broken
    if (broken !== undefined) state.found = { ...broken, ...unshrunk, input: kept, file, generated: null }
  }
  const labels: LabelCounts[] = []
  for (const [generated, input] of inputs.entries()) {
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
      state.found = { ...own, ...unshrunk, input: input as never, file: null, generated }
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
}

function runsOf({ runs }: Pick<Family<never, never, never>, 'runs'>, budget: Budget): number {
  return budget === 'brief' ? Math.ceil(runs.quick / 3) : runs[budget]
}

function generate<Context, Case, Observed>(
  { id, runs, every, cases }: Family<Context, Case, Observed>,
  { seed, budget, cases: numRuns = runsOf({ runs }, budget) }: FamilyChoice,
): readonly Case[] {
  const generated =
    every !== undefined && every.length <= numRuns
      ? every
      : fc.sample(cases, { seed: split(seed, `property.${id}`).uint32() | 0, numRuns })
  // Through JSON, so that the judged case equals the one that a kept failure would hold.
  return generated.map((input) => JSON.parse(JSON.stringify(input)) as Case)
}

/** Judges one case. Passes on errors that already assign blame, such as a response that was cut off. */
async function judgeCase<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  input: Case,
  properties: readonly Property<Observed>[],
) {
  try {
    return await runFamilyCase(family, context, input, properties)
  } catch (error) {
    const knowsWhom = error instanceof BlamedError || error instanceof PromiseBrokenError
    throw knowsWhom ? error : notJudged(family.id, input, error)
  }
}

function notJudged(family: string, input: unknown, cause: unknown): HarnessError {
  const problem = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return new HarnessError(
    `${family}: the case ${JSON.stringify(input)} could not be judged: ${problem}`,
    'This is a bug in Plumbline. Please report it with the case above.',
  )
}
