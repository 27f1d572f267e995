import { runSteps } from '../../src/simulation/interpreter.ts'
import type { Run } from '../../src/simulation/runLog.ts'
import { ExpectationError, StepError, UnknownNameError } from '../../src/simulation/stepErrors.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import type { World } from '../../src/simulation/world.ts'
import { type Ledger, ledgerOf } from './ledger.ts'

/** What one script did, and what the judges must know of it. */
export interface ObservedHistory {
  readonly steps: readonly StepInput[]
  readonly run: Run
  readonly ledger: Ledger
  /** Why the script ended early: an answer is not what its step needs; null when every step was run. */
  readonly ended: ExpectationError | StepError | null
}

/**
 * Runs a script on a fresh world. Where an answer keeps the script from going on, what was observed until then is judged.
 *
 * @throws {StepError} a step is malformed or cannot be run.
 */
export async function observeHistory(world: World, steps: readonly StepInput[]): Promise<ObservedHistory> {
  const runs: Run[] = []
  const ended = await runSteps(world, steps, undefined, { done: (run) => runs.push(run) }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ExpectationError) return error
      if (error instanceof StepError && namesUnservedBuild(error)) return error
      throw error
    },
  )
  const run = runs[0] as Run
  return { steps, run, ledger: ledgerOf(steps, run), ended }
}

/** A build that was not served has no name: the script is right, and the service did not do its part. */
function namesUnservedBuild({ cause }: StepError): boolean {
  return cause instanceof UnknownNameError && cause.what === 'build'
}

/** Where in the log everything was healed for the last time; nothing was broken afterwards. */
export function lastHealing({ log }: Run): number {
  const broken = ['line-fault', 'store-fault', 'crash-at', 'skew', 'meanwhile', 'spend-budget']
  const last = log.findLastIndex(({ op }) => broken.includes(op))
  const healed = log.findIndex(({ op }, index) => index > last && op === 'heal')
  return healed === -1 ? Number.POSITIVE_INFINITY : healed
}
