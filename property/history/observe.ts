import { judgeConfirm, type Verdict } from '../../src/oracles/index.ts'
import { quotesIn } from '../../src/runner/scenarios/quotesInRun.ts'
import { runSteps } from '../../src/simulation/run/interpreter.ts'
import type { Run } from '../../src/simulation/run/runLog.ts'
import { ExpectationError, StepError, UnknownNameError } from '../../src/simulation/steps/stepErrors.ts'
import type { StepInput } from '../../src/simulation/steps/steps.ts'
import type { World } from '../../src/simulation/world/world.ts'

/** The run of one script, with the verdicts on it. */
export interface ObservedHistory {
  readonly steps: readonly StepInput[]
  readonly run: Run
  /** Verdicts on every report, on the totals, and on the ids of the quotes. */
  readonly verdicts: readonly Verdict[]
  /** The reason why the script ended early: a later step needs another response; null: every step was run. */
  readonly ended: ExpectationError | StepError | null
}

/**
 * Runs a script on a fresh world. If a response prevents the script from continuing, judges what was observed until then.
 *
 * @throws {StepError} if a step is malformed or cannot be run.
 */
export async function observeHistory(world: World, steps: readonly StepInput[]): Promise<ObservedHistory> {
  const runs: Run[] = []
  const ended = await runSteps(world, steps, { done: (run) => runs.push(run) }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ExpectationError) return error
      if (error instanceof StepError && namesUnservedBuild(error)) return error
      throw error
    },
  )
  return judgeHistory(steps, runs[0] as Run, ended)
}

/** Judges the run of a script. */
export function judgeHistory(
  steps: readonly StepInput[],
  run: Run,
  ended: ObservedHistory['ended'] = null,
): ObservedHistory {
  return { steps, run, ended, verdicts: judgeConfirm({ ...run, quotes: quotesIn(run, steps) }) }
}

/** A build that was not served has no name: the script is correct, and the service failed. */
function namesUnservedBuild({ cause }: StepError): boolean {
  return cause instanceof UnknownNameError && cause.what === 'build'
}

/** Returns the step of a log entry by its path: `4/0` is the first of those within step 4. */
export function stepAt(steps: readonly StepInput[], path: string): StepInput | undefined {
  const [first, ...rest] = path.split('/')
  const step = steps[Number(first)]
  if (rest.length === 0) return step
  return step?.op === 'meanwhile' ? stepAt(step.steps, rest.join('/')) : undefined
}
