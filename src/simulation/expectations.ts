import { parseJson } from '../spec/json.ts'
import type { LoggedAnswer } from './runLog.ts'
import type { Expectation, Step } from './steps.ts'
import { ExpectationError } from './storyErrors.ts'

/**
 * @param strict false: of a service whose choices are its own. Only a build must be served that the story goes on with.
 * @throws {ExpectationError} the answer is not what the step expects.
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

/** How an answer differs from what a step expects of it, or null. */
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

/** The body as JSON; undefined when it is none. */
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
