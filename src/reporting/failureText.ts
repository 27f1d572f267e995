import { isRequirementId, requirement, restatementsOf } from '../spec/requirements/index.ts'
import { adviceOf } from './advice.ts'
import type { CaseRow } from './results.ts'

type Failure = NonNullable<CaseRow['failure']>

/** Returns a clause as its id, its section and its words; only the id where it is of no known requirement. */
export function clauseText(id: string): string {
  if (!isRequirementId(id)) return id
  const { section, clause } = requirement(id)
  return citation(id, section, clause)
}

/** Returns a clause as the id of its requirement, its section and its words. */
export const citation = (id: string, section: string, clause: string) => `${id}, §${section}: “${clause}”`

/**
 * Returns a failure as lines of text: what was expected, the actual result, what to do where nothing is blamed, the clauses that
 * restate the violated one, and each promise that the same exchange breaks as well.
 */
export function failureText(failure: Failure): readonly string[] {
  const { expected, actual, others = [] } = failure
  return [
    ...difference(expected, actual),
    ...adviceOf(failure),
    ...restatements(failure.requirement),
    ...others.flatMap((other) => [
      `also broken by this exchange: ${clauseText(other.requirement)}`,
      ...difference(other.expected, other.actual).map((line) => `  ${line}`),
      ...restatements(other.requirement).map((line) => `  ${line}`),
    ]),
  ]
}

/** Returns the clauses that restate the one of a requirement, a line each. */
export function restatements(id: string | null): readonly string[] {
  if (id === null || !isRequirementId(id)) return []
  return restatementsOf(id).map((again) => `restated by ${clauseText(again.id)}`)
}

/** Returns what was expected and what there was, a line each. */
export const difference = (expected: string, actual: string) => [`expected ${expected}`, `actual   ${actual}`]
