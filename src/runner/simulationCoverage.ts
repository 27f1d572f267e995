import { jsonOf } from '../simulation/expectations.ts'
import type { LoggedAnswer } from '../simulation/runLog.ts'
import { stepSchema } from '../simulation/steps.ts'
import type { ScriptRun } from './randomRun.ts'

type Seen = Pick<ScriptRun, 'log' | 'struck'>

/** From so many random runs on, every state below must have been met. */
export const COVERED_FROM_RUNS = 200

/** Faults of line and store, and ends of the service, as they strike. */
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
 * Answers of confirm, each with the reason that the reference gives. A swap with another native value than its build
 * reverts, and is refused for that.
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

/** Every state that enough random runs of the reference come to, by kind; each at least once. */
export const EXPECTED_STATES: Readonly<Record<StateKind, readonly string[]>> = {
  step: stepSchema.options.map(({ shape }) => shape.op.value),
  fault: FAULTS,
  confirm: ANSWERS,
}

export type StateKind = 'step' | 'fault' | 'confirm'
/** By kind: how often each state was met. */
export type StateCounts = Readonly<Record<StateKind, ReadonlyMap<string, number>>>

/** How often the runs met each state: those that are expected, with 0 where they were not, and whatever else. */
export function countStates(runs: readonly Seen[]): StateCounts {
  const log = runs.flatMap((run) => run.log)
  const reports = log.filter(({ op }) => op === 'confirm' || op === 'race')
  return {
    step: count(
      'step',
      log.map(({ op }) => [op, 1]),
    ),
    fault: count(
      'fault',
      runs.flatMap(({ struck }) => Object.entries(struck)),
    ),
    confirm: count(
      'confirm',
      reports.flatMap(({ answers, crashed }) => [
        ...answers.map((answer) => [answerState(answer), 1] as const),
        ...(crashed === true ? [['none: the service ended', 1] as const] : []),
      ]),
    ),
  }
}

/** The expected states that were not met, `kind state` each; none while there are too few runs to demand any. */
export function unmetStates(runs: readonly Seen[]): readonly string[] {
  if (runs.length < COVERED_FROM_RUNS) return []
  const counts = countStates(runs)
  return (Object.keys(EXPECTED_STATES) as StateKind[]).flatMap((kind) =>
    EXPECTED_STATES[kind].filter((state) => counts[kind].get(state) === 0).map((state) => `${kind} ${state}`),
  )
}

function count(kind: StateKind, met: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const counts = new Map(EXPECTED_STATES[kind].map((state) => [state, 0]))
  for (const [state, times] of met) counts.set(state, (counts.get(state) ?? 0) + times)
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function answerState(answer: LoggedAnswer): string {
  const body = jsonOf(answer) as Readonly<Record<string, unknown>> | null | undefined
  if (answer.status === 200) return body?.alreadyRecorded === true ? '200 again' : '200 for the first time'
  return `${answer.status} ${body?.reason ?? body?.error}`
}
