import type { AnyFamily, Budget } from '../src/runner/propertyFamily.ts'
import type { Regression } from '../src/runner/propertyRegressions.ts'
import { casesOf, type FamilyRun, type FamilyRunOptions, runFamily } from '../src/runner/propertyRun.ts'
import { type Asked, NOTHING_ASKED } from './bench.ts'
import type { Lab } from './lab.ts'

/** So many cases of a family are judged in one go, whoever does it: what is found does not tell how many hands there were. */
const CASES_OF_A_PART = 12

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
  families: readonly AnyFamily<Lab>[],
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
  lab: Lab,
  family: AnyFamily<Lab>,
  part: Part,
  choice: SuiteChoice,
): Promise<PartRun> {
  const before = { ...lab.tally }
  const run = await runFamily(family, lab, { ...optionsOf(choice, part), shrink: false })
  const asked = { ...NOTHING_ASKED }
  for (const name of Object.keys(asked) as (keyof Asked)[]) asked[name] = lab.tally[name] - before[name]
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
    asked,
  }
}

/** The same for one property that a case of a part broke, made smaller this time. */
export function runBroken(
  lab: Lab,
  family: AnyFamily<Lab>,
  property: string,
  number: number,
  choice: SuiteChoice,
): Promise<FamilyRun> {
  const only = new Set([property])
  if (number < 0) return runFamily(family, lab, { ...optionsOf(choice, { from: 0, to: 0 }), only })
  return runFamily(family, lab, {
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
