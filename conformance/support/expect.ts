import { asOneFinding, judge, observe } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import { PlumblineError } from '../../src/spec/errors.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { type Blame, BlamedError } from '../../src/targets/blame.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import { recordServed } from '../../src/targets/evidence/evidence.ts'

/** The harness or its environment failed to prepare the case: no promise is broken by it. */
class NotExercisedError extends PlumblineError {
  override readonly name = 'NotExercisedError'
  constructor(problem: string) {
    super(problem, 'Read the exchanges of the case: a preparation of the harness failed.')
  }
}

/**
 * Makes sure of what a case needs before it can judge.
 *
 * @throws {NotExercisedError}
 */
export function assume(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new NotExercisedError(problem)
}

/** The target's responses leave nothing to judge. */
class TargetUnservedError extends BlamedError {
  override readonly name = 'TargetUnservedError'
  readonly blame: Blame = 'target'
  readonly expected = 'a response that can be judged'
  constructor(problem: string) {
    super(problem, 'Fix the problem that the exchanges show; until then this case proves nothing.')
  }
}

/**
 * Makes sure that the target serves what a case compares with; a refusal whose twin is not served proves nothing.
 *
 * @throws {TargetUnservedError}
 */
export function assumeServed(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new TargetUnservedError(problem)
}

/**
 * Makes sure that the twin of a refusal was served, so that the refusal counts.
 *
 * @param holds default: by its status.
 * @throws {TargetUnservedError}
 */
export function assumeTwin(endpoint: 'quote' | 'build', twin: Answer, holds = twin.status === 200): void {
  assumeServed(
    holds,
    `a refusal proves nothing while the same request without the mistake is not served: ${responseText(twin)}`,
  )
  recordServed(endpoint)
}

/** The promises that one observation keeps or breaks. */
export type Promised = RequirementId | readonly [RequirementId, ...RequirementId[]]

/**
 * Asserts what the specification promises, perhaps in several clauses.
 *
 * @throws {PromiseBrokenError}
 */
export function assert(
  promised: Promised,
  holds: boolean,
  expected: string,
  actual: unknown,
  boundaryClasses: readonly string[] = [],
): asserts holds {
  const requirements = typeof promised === 'string' ? [promised] : promised
  const details = { expected, actual, boundaryClasses }
  assertVerdicts(asOneFinding(requirements.map((requirement) => judge(requirement, holds, details))))
  // Only a `must` can be broken; whatever else does not hold leaves the case without what it needs next.
  assume(holds, `${requirements.join(', ')}: ${expected} was expected, actual: ${textOf(actual)}`)
}

/** Records what a target does where the specification leaves it open. */
export function note(requirement: RequirementId, seen: unknown): void {
  assertVerdicts([observe(requirement, seen)])
}

/**
 * Asserts one status, and shows the body where it differs.
 *
 * @throws {PromiseBrokenError}
 */
export function assertStatus(promised: Promised, answer: Answer, status: number): void {
  assert(promised, answer.status === status, `status ${status}`, responseText(answer))
}

/** Status and body of an answer as one line. */
export function responseText({ status, exchange }: Answer): string {
  return `status ${status} ${exchange.response.body}`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}` : inner)) ??
    'undefined'
  )
}
