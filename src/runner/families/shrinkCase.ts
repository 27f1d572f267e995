import type { Family } from './family.ts'
import { type BrokenProperty, type Counterexample, runFamilyCase } from './runFamilyCase.ts'
import { type Shrunk, shrink } from './shrink.ts'
import { irrelevantIn, type Json, simplerJson } from './shrinkJson.ts'

/** A case that breaks a property, shrunk. */
export interface ShrunkCase<Case> extends Shrunk<Case> {
  /** The property as the smallest case breaks it. */
  readonly broken: BrokenProperty
  /** Returns whether another case breaks the same requirement of the property. */
  stillFails(candidate: Case): Promise<boolean>
}

/**
 * Shrinks a case that breaks a property, to one that breaks the same requirement of the same property.
 *
 * @param budget maximum number of candidates to run.
 */
export async function shrinkCase<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  input: Case,
  first: BrokenProperty,
  budget: number,
): Promise<ShrunkCase<Case>> {
  const { schema, repair, simpler = (failing) => simplerJson(failing as Json) } = family
  const properties = family.properties.filter(({ id }) => id === first.property)
  let broken = first
  const stillFails = async (candidate: Case): Promise<boolean> => {
    const run = await runFamilyCase(family, context, candidate, properties).catch(() => null)
    const again = run?.broken.find(({ requirement }) => requirement === first.requirement)
    if (again !== undefined) broken = again
    return again !== undefined
  }
  const shrunk = await shrink(input, {
    simpler,
    ...(repair === undefined ? {} : { repair }),
    isCase: (candidate): candidate is Case => schema.safeParse(candidate).success,
    stillFails,
    budget,
  })
  return { ...shrunk, broken, stillFails }
}

/**
 * Shrinks the counterexample of a generated case, and detects which of its inputs do not matter.
 *
 * @param others cases from which other values for the inputs come.
 * @param triesMax maximum number of candidates to run, if lower than the family's.
 */
export async function shrinkCounterexample<Context, Case, Observed>(
  family: Family<Context, Case, Observed>,
  context: Context,
  found: Counterexample,
  others: readonly Case[],
  triesMax = Number.POSITIVE_INFINITY,
): Promise<Counterexample> {
  const input = found.input as Case
  const budget = Math.min(family.shrinkTries, triesMax)
  const shrunk = await shrinkCase(family, context, input, found, budget)
  const { smallest, broken, tries, exhausted, stillFails } = shrunk
  const irrelevant = await irrelevantIn(smallest, others, family.schema, stillFails)
  return { ...found, ...broken, input: smallest as Json, tries, exhausted, irrelevant }
}
