import fc from 'fast-check'
import { split } from '../simulation/seed.ts'
import { PlumblineError } from '../spec/errors.ts'
import { BlamedError } from '../targets/blame.ts'
import {
  createEvidenceRecorder,
  type EvidenceRecorder,
  type Judged,
  recordJudged,
} from '../targets/evidence.ts'
import type { KeptFailure } from './failures.ts'
import type { AnyFamily, Budget, Family, Property } from './family.ts'
import { type BrokenProperty, runFamilyCase } from './runFamilyCase.ts'
import { type Shrunk, shrink } from './shrink.ts'
import { irrelevantIn, type Json, simplerJson } from './shrinkJson.ts'

export interface FamilyRunOptions {
  readonly seed: number
  readonly budget: Budget
  /** Generates so many cases instead. */
  readonly cases?: number
  /** Judges only the generated cases from this number on, and before that one. Default: all. */
  readonly part?: { readonly from: number; readonly to: number }
  /** Ids of the properties to judge. Default: all of the family. */
  readonly only?: ReadonlySet<string>
  readonly failures?: readonly KeptFailure[]
  /** Whether a counterexample is shrunk. Default: true. */
  readonly shrink?: boolean
  /** At most so many smaller cases are run; default: as many as the family says. */
  readonly shrinkTriesMax?: number
  readonly onCase?: (done: number, of: number) => void
}

/** A case that a property is false for. */
export interface Counterexample extends BrokenProperty {
  /** As small as the budget allowed. */
  readonly input: Json
  /** How many cases were generated before it; null: it is a kept failure. */
  readonly generated: number | null
  /** The file of the kept failure. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that were exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}

export interface PropertyOutcome {
  readonly id: string
  /** How often the property applied. */
  readonly exercised: number
  /** The verdicts that it gave, by requirement; of the generated cases alone. */
  readonly judged: readonly Judged[]
  readonly counterexample: Counterexample | null
}

export interface FamilyRun {
  readonly id: string
  readonly cases: number
  /** How many kept failures were run. */
  readonly failures: number
  /** Classes met, with their counts, in the order of their names. */
  readonly labels: ReadonlyMap<string, number>
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
export function runFamily<Context>(
  any: AnyFamily<Context>,
  context: Context,
  options: FamilyRunOptions,
): Promise<FamilyRun> {
  return any.use((family) => new Running(family, context, options).run())
}

/** How many cases a budget generates of a family. */
export function casesOf<Context>(any: AnyFamily<Context>, budget: Budget): number {
  return any.use((family) => {
    const { every } = family
    const runs = runsOf(family, budget)
    return every !== undefined && every.length <= runs ? every.length : runs
  })
}

function runsOf({ runs }: Pick<Family<never, never, never>, 'runs'>, budget: Budget): number {
  return budget === 'brief' ? Math.ceil(runs.quick / 3) : runs[budget]
}

/** What was generated last of each family: whoever judges its parts one after another generates once. */
const lastGenerated = new WeakMap<object, { readonly of: string; readonly cases: readonly unknown[] }>()

function generate<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  seed: number,
  numRuns: number,
): readonly Case[] {
  const of = `${numRuns} of ${seed}`
  const last = lastGenerated.get(family)
  if (last?.of === of) return last.cases as readonly Case[]
  const { id, cases, every } = family
  const generated =
    every !== undefined && every.length <= numRuns
      ? every
      : fc.sample(cases, { seed: split(seed, `property.${id}`).uint32() | 0, numRuns })
  // What is judged is what a kept failure would hold: without anything that JSON does not have.
  const made = generated.map((input) => JSON.parse(JSON.stringify(input)) as Case)
  lastGenerated.set(family, { of, cases: made })
  return made
}

/**
 * Shrinks a case that breaks a property: it goes on while the same requirement of the same property is broken.
 *
 * @param budget at most so many candidates are run.
 */
export async function shrinkCase<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  input: Case,
  first: BrokenProperty,
  budget = family.shrinkTries,
): Promise<
  Shrunk<Case> & { readonly broken: BrokenProperty; stillFails(candidate: Case): Promise<boolean> }
> {
  const { schema, repair } = family
  const properties = family.properties.filter(({ id }) => id === first.property)
  const brokenBy = async (candidate: Case): Promise<BrokenProperty | null> => {
    const { broken } = await runFamilyCase(family, context, candidate, properties).catch(() => ({
      broken: [],
    }))
    return broken[0]?.requirement === first.requirement ? broken[0] : null
  }
  let broken = first
  const shrunk = await shrink(input, {
    simpler: family.simpler ?? ((failing) => simplerJson(failing as Json)),
    ...(repair === undefined ? {} : { repair }),
    isCase: (candidate): candidate is Case => schema.safeParse(candidate).success,
    stillFails: async (candidate) => {
      const again = await brokenBy(candidate)
      broken = again ?? broken
      return again !== null
    },
    budget,
  })
  return { ...shrunk, broken, stillFails: async (candidate) => (await brokenBy(candidate)) !== null }
}

class Running<Context, Case, Observed> {
  readonly #family: Family<Context, Case, Observed>
  readonly #context: Context
  readonly #options: FamilyRunOptions
  readonly #open: Set<Property<Observed>>
  readonly #exercised = new Map<string, number>()
  readonly #found = new Map<string, Counterexample>()
  readonly #labels = new Map<string, number>()
  readonly #evidence = new Map<string, EvidenceRecorder>()
  #generated: readonly Case[] = []

  constructor(family: Family<Context, Case, Observed>, context: Context, options: FamilyRunOptions) {
    this.#family = family
    this.#context = context
    this.#options = options
    this.#open = new Set(family.properties.filter(({ id }) => options.only?.has(id) ?? true))
  }

  async run(): Promise<FamilyRun> {
    const { seed, budget, onCase, cases: given, part } = this.#options
    const wanted = [...this.#open]
    const failures = await this.#runFailures()
    this.#generated = generate(this.#family, seed, given ?? runsOf(this.#family, budget))
    const mine = this.#generated.slice(part?.from ?? 0, part?.to)
    let judged = 0
    for (const [index, input] of mine.entries()) {
      if (this.#open.size === 0) break
      await this.#judge(input, (part?.from ?? 0) + index)
      judged += 1
      onCase?.(judged, mine.length)
    }
    return {
      id: this.#family.id,
      cases: judged,
      failures,
      labels: new Map([...this.#labels].sort(([one], [other]) => (one < other ? -1 : 1))),
      properties: wanted.map(({ id }) => ({
        id,
        exercised: this.#exercised.get(id) ?? 0,
        judged: this.#evidence.get(id)?.judged() ?? [],
        counterexample: this.#found.get(id) ?? null,
      })),
    }
  }

  async #runFailures(): Promise<number> {
    let run = 0
    for (const failure of this.#options.failures ?? []) {
      const property = [...this.#open].find((each) => each.id === failure.property)
      if (property === undefined) continue
      const input = this.#family.schema.safeParse(failure.case)
      if (!input.success) throw new CaseNotJudgedError(this.#family.id, failure.case, input.error)
      run += 1
      const [broken] = (await this.#run(input.data, [property])).broken
      if (broken === undefined) continue
      const kept = { file: failure.file, generated: null, tries: 0, exhausted: false, irrelevant: [] }
      this.#close(property, { ...broken, input: failure.case, ...kept })
    }
    return run
  }

  async #judge(input: Case, index: number): Promise<void> {
    const { observed, exercised, judged, broken } = await this.#run(input, [...this.#open])
    for (const label of this.#family.labels(observed)) {
      this.#labels.set(label, (this.#labels.get(label) ?? 0) + 1)
    }
    for (const { id } of this.#open) {
      const evidence = this.#evidence.get(id) ?? createEvidenceRecorder()
      this.#evidence.set(id, evidence)
      await evidence.collect(async () => recordJudged(judged[id] ?? []))
      this.#exercised.set(id, (this.#exercised.get(id) ?? 0) + (exercised[id] ?? 0))
    }
    for (const each of broken) {
      const property = [...this.#open].find(({ id }) => id === each.property)
      if (property !== undefined) this.#close(property, await this.#shrunk(each, input, index))
    }
  }

  #close(property: Property<Observed>, counterexample: Counterexample): void {
    this.#open.delete(property)
    this.#found.set(property.id, counterexample)
  }

  async #shrunk(first: BrokenProperty, input: Case, index: number): Promise<Counterexample> {
    const found = { generated: index, file: null }
    if (this.#options.shrink === false) {
      return { ...first, ...found, input: input as Json, tries: 0, exhausted: false, irrelevant: [] }
    }
    const budget = Math.min(
      this.#family.shrinkTries,
      this.#options.shrinkTriesMax ?? Number.POSITIVE_INFINITY,
    )
    const { smallest, broken, tries, exhausted, stillFails } = await shrinkCase(
      this.#family,
      this.#context,
      input,
      first,
      budget,
    )
    const irrelevant = await irrelevantIn(smallest, this.#generated, this.#family.schema, stillFails)
    return { ...broken, ...found, input: smallest as Json, tries, exhausted, irrelevant }
  }

  /** An error that knows whom it blames is passed on. */
  async #run(input: Case, properties: readonly Property<Observed>[]) {
    try {
      return await runFamilyCase(this.#family, this.#context, input, properties)
    } catch (error) {
      throw error instanceof BlamedError ? error : new CaseNotJudgedError(this.#family.id, input, error)
    }
  }
}
