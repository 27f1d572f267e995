import type { HttpResponse } from '../../spec/exchange.ts'
import { parseJson } from '../../spec/json.ts'

import { ExpectationError } from './stepErrors.ts'
import type { Expectation, Step } from './steps.ts'

/** A difference between a step's expectation and its response. */
interface Difference {
  readonly expected: string
  readonly actual: string
}

/**
 * Compares the responses of a step with its expectations.
 *
 * @param strict false for a service that may differ where the specification leaves a choice: then only a build that later steps
 * use must succeed.
 * @throws {ExpectationError} a response differs from the expectation.
 */
export function checkExpected(
  step: Step,
  path: string,
  answers: readonly HttpResponse[],
  strict: boolean,
): void {
  const isUsedBuild = step.op === 'build' && step.expect?.status === 200
  const [answer] = isUsedBuild ? answers : []
  const served = answer === undefined ? null : differenceOf({ status: 200 }, answer)
  const difference = strict ? differenceFrom(step, answers) : served
  if (difference !== null) throw new ExpectationError(path, step.op, difference.expected, difference.actual)
}

/** Returns the first difference between the responses of a step and its expectations; null when there is none. */
function differenceFrom(step: Step, answers: readonly HttpResponse[]): Difference | null {
  const last = answers.at(-1)
  if (step.op === 'race') {
    const actual = answers.map(({ status }) => status).sort()
    const expected = [...(step.expectStatuses ?? actual)].sort()
    if (actual.join() === expected.join()) return null
    return { expected: `statuses ${expected.join(', ')}`, actual: actual.join(', ') }
  }
  if (last === undefined) return null
  if (step.op === 'spend-budget') return differenceOf({ status: 429 }, last)
  return 'expect' in step && step.expect !== undefined ? differenceOf(step.expect, last) : null
}

function differenceOf(expect: Expectation, answer: HttpResponse): Difference | null {
  if (answer.status !== expect.status) {
    return { expected: `status ${expect.status}`, actual: `${answer.status} ${answer.body}` }
  }
  for (const [path, expected] of Object.entries(expect.body ?? {})) {
    const actual = memberAt(jsonOf(answer), path)
    if (actual !== expected) {
      return { expected: `${path} ${JSON.stringify(expected)}`, actual: `${JSON.stringify(actual)}` }
    }
  }
  const missing = expect.headers?.find((header) => answer.headers[header] === undefined)
  return missing === undefined ? null : { expected: `a header ${missing}`, actual: 'none' }
}

/** Returns the body as JSON; undefined when it is not JSON. */
export function jsonOf(answer: Pick<HttpResponse, 'body'>): unknown {
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
