import type { ServiceSeams } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'

/**
 * A service that keeps every promise and is not the reference: where the specification is silent or leaves a choice, it
 * chooses otherwise. The suite must find nothing wrong with it.
 */
export interface Variant {
  /** Stable, beginning with `variant.`. */
  readonly id: string
  /** What it does otherwise. */
  readonly title: string
  /** The requirements under which the difference shows; the checks that list them can see it. */
  readonly differsIn: readonly RequirementId[]
  readonly seams: ServiceSeams
  /** Why no answer differs from the reference's, where none does. */
  readonly unseenBecause?: string
}

/** A variant on one line. */
export function variant(
  id: string,
  title: string,
  differsIn: readonly RequirementId[],
  seams: ServiceSeams,
): Variant {
  return { id: `variant.${id}`, title, differsIn, seams }
}
