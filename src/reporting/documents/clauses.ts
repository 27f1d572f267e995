import { isRequirementId, requirement } from '../../spec/requirements/index.ts'

/** A clause of the specification with its section; null where the reader of a page finds the section by its link. */
export interface Clause {
  readonly section: string | null
  readonly clause: string
}

/** Returns the clause of a requirement; null where there is no such requirement. */
export function clauseOf(id: string): Clause | null {
  return isRequirementId(id) ? requirement(id) : null
}
