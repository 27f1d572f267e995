import type { ServiceSeams } from '../../service/testing.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import type { Declaration } from '../../targets/environment/inProcess.ts'
import type { ChangedService } from './service.ts'

/**
 * A known-good service that differs from the reference: it keeps every promise, but behaves differently where the specification
 * is silent or leaves a choice. No case may fail for it.
 */
export interface Variant extends ChangedService {
  /** Stable, begins with `variant.`. */
  readonly id: string
  /** The difference. */
  readonly title: string
  /** Requirements under which the difference shows. */
  readonly differsIn: readonly RequirementId[]
  /** Reason that no response differs from the reference's, where none does. */
  readonly unseenBecause?: string
}

export function variant(
  id: string,
  title: string,
  differsIn: readonly RequirementId[],
  seams: ServiceSeams,
  declares: Partial<Declaration> = {},
): Variant {
  return { id: `variant.${id}`, title, differsIn, seams, declares }
}
