import { runSteps } from '../simulation/interpreter.ts'
import { drawScript, type ScriptOptions } from '../simulation/randomScript.ts'
import type { Run, StepLog } from '../simulation/runLog.ts'
import type { StepInput } from '../simulation/steps.ts'
import { ExpectationError, StepError } from '../simulation/storyErrors.ts'
import { arm, type SimulationLeakError } from '../simulation/tripwire.ts'
import type { World } from '../simulation/world.ts'
import { judgeReports } from './scenario.ts'

/** Why a random run is no pass. `inconclusive` blames the harness or a run that its seed does not decide. */
export interface RandomRunProblem {
  readonly status: 'fail' | 'inconclusive'
  /** Where the step stands in the script, as in its log; null when no single step is to blame. */
  readonly path: string | null
  readonly step: StepInput | null
  readonly message: string
}

export interface RandomRun {
  readonly seed: number
  readonly options: ScriptOptions
  readonly steps: readonly StepInput[]
  /** Equal for equal seeds, to the byte. Empty when the script broke off. */
  readonly log: readonly StepLog[]
  readonly problem: RandomRunProblem | null
}

/**
 * Resets the world, runs the script that `seed` draws while the tripwire is armed, and judges every report against the
 * chain as it was. Never throws for what the service or the script does: that is the run's problem.
 */
export async function runRandomScript(world: World, seed: number): Promise<RandomRun> {
  const { options, steps } = drawScript(seed)
  await world.reset(seed)
  const leaks: SimulationLeakError[] = []
  const disarm = arm({ rpcUrl: world.manifest.rpcUrl, onLeak: (leak) => leaks.push(leak) })
  try {
    const run = await runSteps(world, steps)
    return { seed, options, steps, log: run.log, problem: leakOf(leaks) ?? judgementOf(run, steps) }
  } catch (error) {
    return { seed, options, steps, log: [], problem: leakOf(leaks) ?? problemOf(error, steps) }
  } finally {
    disarm()
  }
}

function leakOf([leak]: readonly SimulationLeakError[]): RandomRunProblem | null {
  return leak === undefined ? null : { status: 'inconclusive', path: null, step: null, message: leak.message }
}

function problemOf(error: unknown, steps: readonly StepInput[]): RandomRunProblem {
  if (error instanceof ExpectationError) {
    // What the chain says of a transaction is foretold by the script, and no promise of the service.
    const status = error.op === 'look' ? 'inconclusive' : 'fail'
    return { status, ...placeOf(error.path, steps), message: error.message }
  }
  if (error instanceof StepError) {
    return { status: 'inconclusive', ...placeOf(error.path, steps), message: error.message }
  }
  throw error
}

/** The first report that breaks a promise. */
function judgementOf(run: Run, steps: readonly StepInput[]): RandomRunProblem | null {
  const failed = judgeReports(run).find(({ outcome }) => outcome === 'fail')
  if (failed === undefined) return null
  const { requirement, expected, seen, note = '' } = failed
  const report = note.match(/^report (\d+)/)?.[1]
  const path = report === undefined ? null : (pathsOfReports(run)[Number(report) - 1] ?? null)
  const place = path === null ? { path, step: null } : placeOf(path, steps)
  return { status: 'fail', ...place, message: `${requirement}: expected ${expected}, saw ${seen} (${note})` }
}

/** The step that made each report, in the order of the reports. */
function pathsOfReports({ log, reports }: Run): readonly string[] {
  const answered = log.flatMap(({ op, path, answers }) =>
    op === 'confirm' || op === 'race' ? answers.map(() => path) : [],
  )
  let at = -1
  return reports.map(({ moments: [{ answer }] }) => {
    // A report whose answer was lost is taken down twice: as it was heard, and as it may have been meant.
    if (answer !== null) at += 1
    return answered[at] ?? ''
  })
}

function placeOf(path: string, steps: readonly StepInput[]): Pick<RandomRunProblem, 'path' | 'step'> {
  return { path, step: steps[Number(path.split('/')[0])] ?? null }
}
