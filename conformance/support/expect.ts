import { asOneFinding, bodyOf, judge, observe, observeChoice } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { PointName } from '../../src/spec/openPoints/index.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Route } from '../../src/spec/wire.ts'
import { BlamedError } from '../../src/targets/blame.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import { noteExchange, recordServed } from '../../src/targets/evidence/evidence.ts'

/** The expectation reported when the harness fails. */
const CASE_TO_JUDGE = 'a case that Plumbline can judge'

/**
 * Assumes a precondition of a case that the harness or its environment prepares: if it fails, no promise is broken.
 *
 * @throws {BlamedError}
 */
export function assume(holds: boolean, problem: string): asserts holds {
  if (holds) return
  const advice = 'Read the exchanges of the case: a preparation of the harness failed.'
  throw new BlamedError('harness', CASE_TO_JUDGE, problem, advice)
}

/**
 * Assumes that the target serves what a case compares with; a refusal whose twin is not served proves nothing.
 *
 * @throws {BlamedError}
 */
export function assumeServed(holds: boolean, problem: string): asserts holds {
  if (holds) return
  const advice = 'Fix the problem that the exchanges show; until then this case proves nothing.'
  throw new BlamedError('target', 'a response that can be judged', problem, advice)
}

/**
 * Assumes that the twin of a refusal was served, so that the refusal counts.
 *
 * @param holds default: true if the twin has status 200.
 * @throws {BlamedError}
 */
export function assumeTwin(endpoint: 'quote' | 'build', twin: Answer, holds = twin.status === 200): void {
  assumeServed(holds, `a ${endpoint} without the mistake is not served either: ${responseText(twin)}`)
  recordServed(endpoint)
}

/** The promises that one observation keeps or breaks. */
export type Promised = RequirementId | readonly [RequirementId, ...RequirementId[]]

/**
 * Asserts a promise of the specification, which may consist of several clauses.
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
  // Only a `must` can be broken; otherwise the case lacks a precondition for its next steps.
  assume(holds, `${requirements.join(', ')}: ${expected} was expected, actual: ${textOf(actual)}`)
}

/** Judges a target by a convention. Breaking it does not stop the case. */
export function assertConvention(
  requirement: RequirementId,
  holds: boolean,
  expected: string,
  actual: unknown,
): void {
  assertVerdicts([judge(requirement, holds, { expected, actual })])
}

/** Records the behaviour of a target where the specification leaves it open. */
export function note(requirement: RequirementId, seen: unknown): void {
  assertVerdicts([observe(requirement, seen)])
}

/**
 * Records the answer of a target at an open point, in the words of the point.
 *
 * @param response the response that shows it; default: the newest.
 * @param actual a description of the behaviour; default: the answer.
 */
export function noteChoice(point: PointName, answer: string, response?: Answer, actual?: string): void {
  if (response !== undefined) noteExchange(response.exchange)
  assertVerdicts([observeChoice(point, answer, actual)])
}

/** Returns the route in the response to a quote or a build, of which nothing is known; null: it has none. */
export function routeIn(answer: Answer): Partial<Route> | null {
  const { route } = bodyOf(answer)
  return typeof route === 'object' ? route : null
}

/** Names the answer of a quote: `priced`, `no-route`, or its status. */
export function priceOf(answer: Answer): string {
  if (answer.status !== 200) return `${answer.status}`
  return bodyOf(answer).route == null ? 'no-route' : 'priced'
}

/** Names the answer to a request that may be served or refused: `served`, or its status. */
export function servedOr({ status }: Answer): string {
  return status === 200 ? 'served' : `${status}`
}

/**
 * Asserts a status, and shows the body if it differs.
 *
 * @throws {PromiseBrokenError}
 */
export function assertStatus(promised: Promised, answer: Answer, status: number): void {
  noteExchange(answer.exchange)
  assert(promised, answer.status === status, `status ${status}`, responseText(answer))
}

/** Returns the status and body of a response in one line. */
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
