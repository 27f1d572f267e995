import { parseJson } from '../spec/json.ts'
import type { LoggedAnswer } from './runLog.ts'
import { ExpectationError } from './stepErrors.ts'
import type { Expectation, Step } from './steps.ts'

/**
 * Compares a response with what its step expects.
 *
 * @param strict false for a service that may choose otherwise where the specification leaves a choice: then only a build that
 *   later steps use must succeed.
 * @throws {ExpectationError} the response is not what the step expects.
 */
export function demandAnswer(
  step: { readonly op: Step['op']; readonly expect?: Expectation | undefined },
  path: string,
  answer: LoggedAnswer,
  strict: boolean,
): void {
  const served = step.op === 'build' && step.expect?.status === 200 ? { status: 200 } : undefined
  const expect = strict ? step.expect : served
  const difference = expect === undefined ? null : differenceFrom(expect, answer)
  if (difference !== null) throw new ExpectationError(path, step.op, difference.expected, difference.seen)
}

/** The first difference between a response and what its step expects; null when there is none. */
function differenceFrom(
  expect: Expectation,
  answer: LoggedAnswer,
): { readonly expected: string; readonly seen: string } | null {
  if (answer.status !== expect.status) {
    return { expected: `status ${expect.status}`, seen: `${answer.status} ${answer.body}` }
  }
  for (const [path, expected] of Object.entries(expect.body ?? {})) {
    const seen = memberAt(jsonOf(answer), path)
    if (seen !== expected) {
      return { expected: `${path} ${JSON.stringify(expected)}`, seen: `${JSON.stringify(seen)}` }
    }
  }
  for (const header of expect.headers ?? []) {
    if (answer.headers[header] === undefined) return { expected: `a header ${header}`, seen: 'none' }
  }
  return null
}

/** The body as JSON; undefined when it is not JSON. */
export function jsonOf(answer: LoggedAnswer): unknown {
  return parseJson(answer.body)
}

function memberAt(json: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, member) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, member)
          ? (value as Record<string, unknown>)[member]
          : undefined,
      json,
    )
}
