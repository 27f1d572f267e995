import fc from 'fast-check'
import { split } from '../simulation/seed.ts'
import { PlumblineError } from '../spec/errors.ts'
import { BlamedError, PromiseBrokenError } from '../targets/blame.ts'
import {
  createEvidenceRecorder,
  type EvidenceRecorder,
  type Judged,
  noteMoment,
} from '../targets/evidence.ts'
import type { AnyFamily, Budget, Family, Property } from './propertyFamily.ts'
import type { Regression } from './propertyRegressions.ts'
import { type Json, leavesOf, shrinkCase, valueAt, withValueAt } from './propertyShrink.ts'

export interface FamilyRunOptions {
  readonly seed: number
  readonly budget: Budget
  /** Draws so many cases instead. */
  readonly cases?: number
  /** Judges only the drawn cases from this number on, and before that one. Default: all. */
  readonly part?: { readonly from: number; readonly to: number }
  /** Ids of the properties to judge. Default: all of the family. */
  readonly only?: ReadonlySet<string>
  readonly regressions?: readonly Regression[]
  /** Whether a counterexample is made smaller. Default: true. */
  readonly shrink?: boolean
  /** At most so many smaller cases are tried; default: as many as the family says. */
  readonly shrinkTriesMax?: number
  readonly onCase?: (done: number, of: number) => void
}

/** A case that a property is false for. */
export interface Counterexample {
  readonly property: string
  readonly broken: PromiseBrokenError
  /** As small as the budget allowed. */
  readonly input: Json
  /** How many cases were drawn before it; null: it is a kept regression. */
  readonly drawn: number | null
  /** The file of the regression. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that were exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}

export interface PropertyOutcome {
  readonly id: string
  /** How often the property put its question. */
  readonly questions: number
  /** The verdicts that it gave, by requirement; of the drawn cases alone. */
  readonly judged: readonly Judged[]
  readonly counterexample: Counterexample | null
}

export interface FamilyRun {
  readonly id: string
  readonly cases: number
  readonly regressions: number
  /** Classes met, with their counts, in the order of their names. */
  readonly labels: ReadonlyMap<string, number>
  readonly properties: readonly PropertyOutcome[]
}

/** The world, or a judge, failed in a case: nothing is known of the target. */
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

/** Values tried in the place of each input of a counterexample, to see whether it matters. */
const EXCHANGES = 3

/**
 * Runs a family: kept regressions first, then the cases that the seed draws. Every property is judged until it fails
 * once; its counterexample is then made smaller. Equal seeds give equal cases, counts and labels.
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

/** How many cases a budget draws of a family. */
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

/** What was drawn last of each family: whoever judges its parts one after another draws once. */
const lastDrawn = new WeakMap<object, { readonly of: string; readonly cases: readonly unknown[] }>()

function drawnOf<Context, Case, Seen>(
  family: Family<Context, Case, Seen>,
  seed: number,
  numRuns: number,
): readonly Case[] {
  const of = `${numRuns} of ${seed}`
  const last = lastDrawn.get(family)
  if (last?.of === of) return last.cases as readonly Case[]
  const { id, cases, every } = family
  const drawn =
    every !== undefined && every.length <= numRuns
      ? every
      : fc.sample(cases, { seed: split(seed, `property.${id}`).uint32() | 0, numRuns })
  // What is judged is what a regression would keep: without anything that JSON does not hold.
  const made = drawn.map((input) => JSON.parse(JSON.stringify(input)) as Case)
  lastDrawn.set(family, { of, cases: made })
  return made
}

class Running<Context, Case, Seen> {
  readonly #family: Family<Context, Case, Seen>
  readonly #context: Context
  readonly #options: FamilyRunOptions
  readonly #open: Set<Property<Seen>>
  readonly #questions = new Map<string, number>()
  readonly #found = new Map<string, Counterexample>()
  readonly #labels = new Map<string, number>()
  readonly #evidence = new Map<string, EvidenceRecorder>()
  #drawn: readonly Case[] = []

  constructor(family: Family<Context, Case, Seen>, context: Context, options: FamilyRunOptions) {
    this.#family = family
    this.#context = context
    this.#options = options
    this.#open = new Set(family.properties.filter(({ id }) => options.only?.has(id) ?? true))
  }

  async run(): Promise<FamilyRun> {
    const { seed, budget, onCase, cases: given, part } = this.#options
    const wanted = [...this.#open]
    const regressions = await this.#runRegressions()
    this.#drawn = drawnOf(this.#family, seed, given ?? runsOf(this.#family, budget))
    const mine = this.#drawn.slice(part?.from ?? 0, part?.to)
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
      regressions,
      labels: new Map([...this.#labels].sort(([one], [other]) => (one < other ? -1 : 1))),
      properties: wanted.map((property) => ({
        id: property.id,
        questions: this.#questions.get(property.id) ?? 0,
        judged: this.#evidence.get(property.id)?.judged() ?? [],
        counterexample: this.#found.get(property.id) ?? null,
      })),
    }
  }

  async #runRegressions(): Promise<number> {
    let run = 0
    for (const regression of this.#options.regressions ?? []) {
      const property = [...this.#open].find((each) => each.id === regression.property)
      if (property === undefined) continue
      const input = this.#family.schema.safeParse(regression.case)
      if (!input.success) throw new CaseNotJudgedError(this.#family.id, regression.case, input.error)
      run += 1
      const broken = await this.#brokenBy(property, input.data)
      if (broken === null) continue
      const kept = { file: regression.file, drawn: null, tries: 0, exhausted: false, irrelevant: [] }
      this.#close(property, { property: property.id, broken, input: regression.case as Json, ...kept })
    }
    return run
  }

  async #judge(input: Case, index: number): Promise<void> {
    const seen = await this.#observe(input)
    for (const label of this.#family.labels(seen)) {
      this.#labels.set(label, (this.#labels.get(label) ?? 0) + 1)
    }
    // A counterexample is shrunk only after all others have judged the same world.
    const broken: [Property<Seen>, PromiseBrokenError][] = []
    for (const property of this.#open) {
      const evidence = this.#evidence.get(property.id) ?? createEvidenceRecorder()
      this.#evidence.set(property.id, evidence)
      const outcome = await evidence.collect(() => {
        noteMoment()
        return this.#outcomeOf(property, seen, input)
      })
      if (typeof outcome !== 'number') broken.push([property, outcome])
      else this.#questions.set(property.id, (this.#questions.get(property.id) ?? 0) + outcome)
    }
    for (const [property, error] of broken) {
      this.#close(property, await this.#shrunk(property, error, input, index))
    }
  }

  #close(property: Property<Seen>, counterexample: Counterexample): void {
    this.#open.delete(property)
    this.#found.set(property.id, counterexample)
  }

  async #shrunk(
    property: Property<Seen>,
    first: PromiseBrokenError,
    input: Case,
    index: number,
  ): Promise<Counterexample> {
    const found = { property: property.id, drawn: index, file: null }
    if (this.#options.shrink === false) {
      const asDrawn = { tries: 0, exhausted: false, irrelevant: [] }
      return { ...found, ...asDrawn, broken: first, input: input as Json }
    }
    const { schema } = this.#family
    const budget = Math.min(
      this.#family.shrinkTries,
      this.#options.shrinkTriesMax ?? Number.POSITIVE_INFINITY,
    )
    const isCase = (candidate: unknown): candidate is Case => schema.safeParse(candidate).success
    let broken = first
    const stillFails = async (candidate: Case): Promise<boolean> => {
      const error = await this.#brokenBy(property, candidate).catch(() => null)
      if (error?.requirement !== first.requirement) return false
      broken = error
      return true
    }
    const { smallest, tries, exhausted } = await shrinkCase(input, isCase, stillFails, budget)
    const smallestBroken = broken
    const irrelevant = await this.#irrelevantIn(smallest, isCase, stillFails)
    return { ...found, broken: smallestBroken, input: smallest as Json, tries, exhausted, irrelevant }
  }

  /** Inputs that can be exchanged for those of other drawn cases, and the property fails all the same. */
  async #irrelevantIn(
    input: Case,
    isCase: (candidate: unknown) => candidate is Case,
    stillFails: (candidate: Case) => Promise<boolean>,
  ): Promise<readonly string[]> {
    const irrelevant: string[] = []
    for (const path of leavesOf(input as Json)) {
      const own = JSON.stringify(valueAt(input as Json, path))
      const others = new Map<string, Case>()
      for (const other of this.#drawn) {
        const value = valueAt(other as Json, path)
        if (value === undefined || JSON.stringify(value) === own) continue
        const candidate = withValueAt(input as Json, path, value)
        if (isCase(candidate)) others.set(JSON.stringify(value), candidate)
        if (others.size === EXCHANGES) break
      }
      if (others.size === 0) continue
      let matters = false
      for (const candidate of others.values()) matters ||= !(await stillFails(candidate))
      if (!matters) irrelevant.push(path.join('.'))
    }
    return irrelevant
  }

  async #brokenBy(property: Property<Seen>, input: Case): Promise<PromiseBrokenError | null> {
    const outcome = await this.#outcomeOf(property, await this.#observe(input), input)
    return typeof outcome === 'number' ? null : outcome
  }

  async #observe(input: Case): Promise<Seen> {
    try {
      return await this.#family.observe(this.#context, input)
    } catch (error) {
      throw this.#notJudged(this.#family.id, input, error)
    }
  }

  /** What an error knows of its own blame, it keeps. */
  #notJudged(what: string, input: Case, error: unknown): Error {
    return error instanceof BlamedError ? error : new CaseNotJudgedError(what, input, error)
  }

  async #outcomeOf(property: Property<Seen>, seen: Seen, input: Case): Promise<number | PromiseBrokenError> {
    try {
      return await property.holds(seen)
    } catch (error) {
      if (error instanceof PromiseBrokenError) return error
      throw this.#notJudged(property.id, input, error)
    }
  }
}
