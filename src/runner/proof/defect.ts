import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { includes } from '../../spec/requirements/causes.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'

/**
 * A known-broken service: the reference with one plausible mistake, injected at its seams and never by editing it. It breaks
 * one requirement, and a case of that requirement must fail for it.
 */
export interface Defect {
  /** Stable, dotted, named for the mistake; never a position. */
  readonly id: string
  /** The mistake, in the words of a bug report. */
  readonly title: string
  readonly breaks: RequirementId
  readonly seams: ServiceSeams
  /** Changes to the reference client that make a broken client. */
  readonly client?: ClientSeams
  /** Suites that must kill it where no case can. Default: the cases. */
  readonly shownBy?: 'scenarios' | 'properties'
  /** Clause that its killers name before the one that it breaks, and the reason that this one explains the mistake. */
  readonly explainedBy?: { readonly clause: RequirementId; readonly because: string }
}

/**
 * Returns whether the clause that a case names first for a defect is the right one: the one that the defect breaks, a part of
 * it, or the one of its `explainedBy`.
 */
export function isRightlyNamed({ breaks, explainedBy }: Defect, named: RequirementId | undefined): boolean {
  return named === breaks || named === explainedBy?.clause || (named !== undefined && includes(breaks, named))
}

export function defect(id: string, breaks: RequirementId, title: string, seams: ServiceSeams): Defect {
  return { id, title, breaks, seams }
}

/** Returns defects of one kind. Rows are by id: the requirement, the title, and the change from which `seamsOf` makes the seams. */
export function defectTable<Change>(
  seamsOf: (change: Change) => ServiceSeams,
  rows: Readonly<Record<string, readonly [breaks: RequirementId, title: string, change: NoInfer<Change>]>>,
): readonly Defect[] {
  return Object.entries(rows).map(([id, [breaks, title, change]]) =>
    defect(id, breaks, title, seamsOf(change)),
  )
}
