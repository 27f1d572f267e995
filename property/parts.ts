import type { AnyFamily, Budget } from '../src/runner/propertyFamily.ts'
import type { Regression } from '../src/runner/propertyRegressions.ts'
import { casesOf, type FamilyRun, type FamilyRunOptions, runFamily } from '../src/runner/propertyRun.ts'
import type { InProcessEnvironment } from '../src/targets/inProcess.ts'
import { type Asked, askedIn, NOTHING_ASKED, sumAsked } from './asked.ts'

/** So many cases of a family are judged in one go, whoever does it: what is found does not tell how many hands there were. */
const CASES_OF_A_PART = 12

/** The labels of swaps that were built and executed. */
const EXECUTED = ['executed', 'executed after a move']

/** Some cases of a family, in the order in which they were drawn. */
export interface Part {
  readonly family: string
  readonly from: number
  readonly to: number
}

/** What a part came to, as plain data that can pass from one process to another. */
export interface PartRun {
  readonly part: Part
  readonly cases: number
  readonly regressions: number
  readonly labels: readonly (readonly [string, number])[]
  readonly questions: Readonly<Record<string, number>>
  /** By property that is broken: the number of the first case that breaks it; -1: a kept regression does. */
  readonly broken: Readonly<Record<string, number>>
  readonly asked: Asked
}

/** What decides the cases of a suite, and which properties judge them. */
export interface SuiteChoice {
  readonly seed: number
  readonly budget: Budget
  /** Default: all. */
  readonly only?: ReadonlySet<string>
  readonly regressions: readonly Regression[]
}

/** Whoever judges parts: a world in this process, or one in another. */
export interface Hand {
  run(part: Part): Promise<PartRun>
  stop(): Promise<void>
}

/** The cases of these families in parts, those of a long family early. */
export function partsOf(
  families: readonly AnyFamily<InProcessEnvironment>[],
  { budget, only }: Pick<SuiteChoice, 'budget' | 'only'>,
): readonly Part[] {
  return families
    .filter(({ properties }) => properties.some(({ id }) => only?.has(id) ?? true))
    .flatMap((family) => {
      const cases = casesOf(family, budget)
      const starts = Array.from({ length: Math.ceil(cases / CASES_OF_A_PART) }, (_, part) => part)
      return starts.map((part) => {
        const from = part * CASES_OF_A_PART
        return { family: family.id, from, to: Math.min(cases, from + CASES_OF_A_PART) }
      })
    })
}

/**
 * Judges one part. The first of a family runs the kept regressions too. Nothing is made smaller.
 *
 * @throws what `runFamily` throws.
 */
export async function runPart(
  environment: InProcessEnvironment,
  family: AnyFamily<InProcessEnvironment>,
  part: Part,
  choice: SuiteChoice,
): Promise<PartRun> {
  let asked = NOTHING_ASKED
  const onCase = () => {
    asked = sumAsked(asked, askedIn(environment.transcript))
  }
  const run = await runFamily(family, environment, { ...optionsOf(choice, part), shrink: false, onCase })
  const swaps = EXECUTED.reduce((sum, label) => sum + (run.labels.get(label) ?? 0), 0)
  return {
    part,
    cases: run.cases,
    regressions: run.regressions,
    labels: [...run.labels],
    questions: Object.fromEntries(run.properties.map(({ id, questions }) => [id, questions])),
    broken: Object.fromEntries(
      run.properties.flatMap(({ id, counterexample }) =>
        counterexample === null ? [] : [[id, counterexample.drawn ?? -1]],
      ),
    ),
    asked: { ...asked, swaps },
  }
}

/** The same for one property that a case of a part broke, made smaller this time. */
export function runBroken(
  environment: InProcessEnvironment,
  family: AnyFamily<InProcessEnvironment>,
  property: string,
  number: number,
  choice: SuiteChoice,
): Promise<FamilyRun> {
  const only = new Set([property])
  if (number < 0) return runFamily(family, environment, { ...optionsOf(choice, { from: 0, to: 0 }), only })
  return runFamily(family, environment, {
    ...optionsOf(choice, { from: number, to: number + 1 }),
    only,
    regressions: [],
  })
}

function optionsOf(
  { seed, budget, only, regressions }: SuiteChoice,
  { from, to }: Pick<Part, 'from' | 'to'>,
): FamilyRunOptions {
  return {
    seed,
    budget,
    part: { from, to },
    regressions: from === 0 ? regressions : [],
    ...(only === undefined ? {} : { only }),
  }
}
