import { jsonOf } from '../../src/simulation/steps/expectations.ts'
import { stepSchema } from '../../src/simulation/steps/steps.ts'
import type { HttpResponse } from '../../src/spec/exchange.ts'
import type { ObservedHistory } from './observe.ts'

/** Number of random scripts from which on every state below must be met. */
const COVERED_FROM_RUNS = 200

/** Faults of line and store, and crashes of the service, as they are counted when they strike. */
const FAULTS = [
  'crash after',
  'crash before',
  'line abandoned',
  'line answer-lost',
  'line delay in time',
  'line delay too late',
  'line doubled',
  'line down',
  'line lag',
  'line rate-limited',
  'line repeated',
  'line rubbish',
  'line shuffled',
  'store answer-lost',
  'store down',
] as const

/**
 * Responses to a report, each with the reason that the reference gives. A swap with another native value than its build is
 * missing: it reverts, and is refused for that.
 */
const ANSWERS = [
  '200 for the first time',
  '200 again',
  '202 block-changed',
  '202 pending',
  '202 too-few-confirmations',
  '202 transaction-not-found',
  '401 the API key is not active',
  '404 no build of this id belongs to this key',
  '409 the build is already attributed elsewhere',
  '409 the transaction is already attributed elsewhere',
  '422 the transaction calls another contract than the build',
  '422 the transaction carries other calldata than the build',
  '422 the transaction executed after the attribution window of the build',
  '422 the transaction executed before the build was made',
  '422 the transaction reverted',
  '422 the transaction was sent by another address than the build names',
  '429 the request budget of this partner is exceeded',
  '503 verification or storage temporarily unavailable',
  'none: the service ended',
] as const

/** Returns the minimum counts for a number of random scripts: with enough of them, one of each state. `look` only predicts. */
export function floorsForRuns(runs: number): Readonly<Record<string, number>> {
  if (runs < COVERED_FROM_RUNS) return {}
  const states = [
    ...stepSchema.options.flatMap(({ shape: { op } }) => (op.value === 'look' ? [] : [`step: ${op.value}`])),
    ...FAULTS.map((fault) => `struck: ${fault}`),
    ...ANSWERS.map((answer) => `reported: ${answer}`),
  ]
  return Object.fromEntries(states.map((state) => [state, 1]))
}

/** Returns the states that a history met, once for each time: steps, faults that struck, responses to reports. */
export function* statesOf({ run }: ObservedHistory): Generator<string> {
  for (const { op, answers, crashed } of run.log) {
    yield `step: ${op}`
    if (op !== 'confirm' && op !== 'race') continue
    for (const answer of answers) yield `reported: ${answerState(answer)}`
    if (crashed === true) yield 'reported: none: the service ended'
  }
  for (const [fault, times] of Object.entries(run.struck)) {
    for (let time = 0; time < times; time += 1) yield `struck: ${fault}`
  }
  for (const { moments } of run.reports) yield `report: ${moments[0].answer?.status ?? 'no response'}`
}

/** Returns the state of a response to a report: its status, and the reason in its body. */
function answerState(answer: HttpResponse): string {
  const body = jsonOf(answer) as Readonly<Record<string, unknown>> | null | undefined
  if (answer.status === 200) return body?.alreadyRecorded === true ? '200 again' : '200 for the first time'
  return `${answer.status} ${body?.reason ?? body?.error}`
}
