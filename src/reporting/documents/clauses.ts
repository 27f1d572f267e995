import { type Guidance, guidanceOf } from '../../spec/requirements/guidance.ts'
import {
  isRequirementId,
  type RequirementId,
  requirement,
  restatementsOf,
} from '../../spec/requirements/index.ts'
import type { CaseResult } from '../results.ts'

/** A clause of the specification with its section. */
export interface Clause {
  readonly section: string
  readonly clause: string
  /** The clauses that restate it, each as a line with its requirement and section. */
  readonly restatements: readonly string[]
  readonly guidance: Guidance
}

/** Returns the clauses that failures break, by requirement. */
export function brokenClauses(
  cases: readonly Pick<CaseResult, 'failure'>[],
): Readonly<Record<string, Clause>> {
  const broken = cases.flatMap(({ failure }) =>
    failure === null ? [] : [failure, ...(failure.others ?? [])].map(({ requirement: id }) => id ?? ''),
  )
  return Object.fromEntries(
    [...new Set(broken)].flatMap((id) => {
      const clause = clauseOf(id)
      return clause === null ? [] : [[id, clause]]
    }),
  )
}

/** Returns the clause of a requirement; null where there is no such requirement. */
export function clauseOf(id: string): Clause | null {
  if (!isRequirementId(id)) return null
  const { section, clause } = requirement(id)
  const restatements = restatementsOf(id).map((again) => clauseText(again.id))
  return { section, clause, restatements, guidance: guidanceOf(id) }
}

export function clauseText(id: RequirementId): string {
  const { section, clause } = requirement(id)
  return `${id}, §${section}: “${clause}”`
}
