import type { World } from '../../simulation/world/world.ts'
import type { Case } from '../cases/case.ts'
import type { Kills } from './kills.ts'
import { judgedOf } from './matrix.ts'
import { type Asked, coveredBy, ownQuestions, type Question, requestsOf } from './questions.ts'
import type { Reference } from './service.ts'

/** Findings on which cases are needed, as far as they judge anything. */
export interface Needed {
  /** Cases that kill no defect alone and ask nothing that others do not ask, with the cases that ask it. */
  readonly dispensable: readonly { readonly case: string; readonly coveredBy: readonly string[] }[]
  /** Cases that no defect makes fail. */
  readonly idle: readonly string[]
  /** Questions that only the left-out cases ask. */
  readonly unasked: readonly (Question & { readonly case: string })[]
}

/**
 * Returns the questions of a case: each of its requests, for each requirement for which it can fail. Enumerated values that it
 * is the first to meet count as questions that it alone asks: other cases send such requests in other states.
 */
export async function askedBy(world: World, one: Case, reference: Reference): Promise<Asked> {
  const { exchanges, result } = await reference.of(world, one)
  const met = (result.meets ?? []).filter(({ count }) => count > 0)
  const first = met.map(({ what, count }) => `${count} ${what} that ${one.id} is the first to meet`)
  const requests = [...requestsOf(exchanges), ...first]
  const questions = judgedOf(one).flatMap((requirement) =>
    requests.map((request) => ({ requirement, request })),
  )
  return { case: one.id, questions }
}

/** Returns the cases whose every request another case sends for the same requirement. */
export function withoutOwnQuestion(asked: readonly Asked[], leftOut: readonly Case[]): ReadonlySet<string> {
  const out = new Set(leftOut.map(({ id }) => id))
  const own = ownQuestions(asked.filter((one) => !out.has(one.case)))
  return new Set([...own].flatMap(([id, questions]) => (questions.length === 0 ? [id] : [])))
}

/** Facts about the cases, as their trials showed them. */
interface Found {
  /** Cases whose every request another case sends for the same requirement. */
  readonly covered: ReadonlySet<string>
  /** By case, the defects that it alone kills; complete for at least the covered cases. */
  readonly alone: Kills
  /** Cases that no defect makes fail. */
  readonly idle: readonly string[]
}

/**
 * Finds the cases that could be left out without a loss. A case is needed if it alone kills a defect, or alone sends some
 * request for some requirement; and it must kill some defect, or nothing shows that it can fail.
 *
 * @param asked questions of each case, including those that the matrix was made without.
 */
export function neededCases(
  asked: readonly Asked[],
  leftOut: readonly Case[],
  { covered, alone, idle }: Found,
): Needed {
  const out = new Set(leftOut.map(({ id }) => id))
  const still = asked.filter((one) => !out.has(one.case))
  const all = ownQuestions(asked)
  return {
    dispensable: still
      .filter((one) => alone[one.case] === undefined && covered.has(one.case))
      .map((one) => ({ case: one.case, coveredBy: coveredBy(one.case, still) })),
    idle,
    unasked: leftOut.flatMap(({ id }) => (all.get(id) ?? []).map((question) => ({ ...question, case: id }))),
  }
}
