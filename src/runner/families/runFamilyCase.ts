import type { RequirementId } from '../../spec/requirements/index.ts'
import { type BrokenPromise, PromiseBrokenError } from '../../targets/blame.ts'
import { createEvidenceRecorder, type Judged } from '../../targets/evidence/evidence.ts'
import type { Family, Property } from './family.ts'
import type { Json } from './shrinkJson.ts'

/** A property that a case breaks, as plain data. */
export interface BrokenProperty {
  readonly property: string
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
  /** Other promises that the same exchange breaks independently. */
  readonly others: readonly BrokenPromise[]
}

/** A case for which a property is false. Plain data. */
export interface Counterexample extends BrokenProperty {
  /** Shrunk as far as the budget allowed. */
  readonly input: Json
  /** Number of cases generated before it; null: it is a kept failure. */
  readonly generated: number | null
  /** File of the kept failure; null: the case was generated. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that could be exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}

/** Result of one case of a family. */
export interface CaseRun<Observed> {
  readonly observed: Observed
  /** By property: number of times that it applied. */
  readonly exercised: Readonly<Record<string, number>>
  /** By property: its verdicts. */
  readonly judged: Readonly<Record<string, readonly Judged[]>>
  /** Every property that the case breaks, in the order of the family. */
  readonly broken: readonly BrokenProperty[]
}

/**
 * Runs one case from a fresh start, and judges it by these properties of its family. A property that cannot be judged matters
 * only if no other is broken.
 *
 * @throws the error of observing the case, or an error of a property that is not a broken promise.
 */
export async function runFamilyCase<Context, Case, Observed>(
  { observe }: Pick<Family<Context, Case, Observed>, 'observe'>,
  context: Context,
  input: Case,
  properties: Iterable<Property<Observed>>,
): Promise<CaseRun<Observed>> {
  const observed = await observe(context, input)
  const exercised: Record<string, number> = {}
  const judged: Record<string, readonly Judged[]> = {}
  const broken: BrokenProperty[] = []
  const errors: unknown[] = []
  for (const { id, holds } of properties) {
    const evidence = createEvidenceRecorder()
    try {
      exercised[id] = await evidence.collect(async () => holds(observed))
    } catch (error) {
      if (error instanceof PromiseBrokenError) broken.push(brokenBy(id, error))
      else errors.push(error)
    }
    judged[id] = evidence.judged()
  }
  if (broken.length === 0 && errors.length > 0) throw errors[0]
  return { observed, exercised, judged, broken }
}

function brokenBy(
  property: string,
  { requirement, expected, actual, others }: PromiseBrokenError,
): BrokenProperty {
  return { property, requirement, expected, actual, others }
}
