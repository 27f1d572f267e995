import type { ServiceSeams } from '../../src/simulation/seams.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'

/**
 * A broken service with a name: the reference with one plausible mistake, made at its seams and never inside it. It
 * breaks one requirement, and a check of that requirement must say so.
 */
export interface Defect {
  /** Stable, dotted, named for the mistake; never a position. */
  readonly id: string
  /** The mistake, as one would write it in a bug report. */
  readonly title: string
  /** The one requirement that the mistake breaks. */
  readonly breaks: RequirementId
  readonly seams: ServiceSeams
}

/** A defect on one line. */
export function defect(id: string, breaks: RequirementId, title: string, seams: ServiceSeams): Defect {
  return { id, title, breaks, seams }
}
