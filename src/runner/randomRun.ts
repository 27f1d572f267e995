import { judgeConfirm, type Verdict } from '../oracles/index.ts'
import { runSteps } from '../simulation/interpreter.ts'
import { drawScript, type ScriptOptions } from '../simulation/randomScript.ts'
import type { Run, StepLog } from '../simulation/runLog.ts'
import { ExpectationError, StepError } from '../simulation/stepErrors.ts'
import type { StepInput } from '../simulation/steps.ts'
import { arm, type SimulationLeakError } from '../simulation/tripwire.ts'
import type { World } from '../simulation/world.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { quotesIn } from './quotesInRun.ts'

/** Why a random run is no pass. `inconclusive` blames the harness or a run that its seed does not decide. */
export interface RandomRunProblem {
  readonly status: 'fail' | 'inconclusive'
  /** What went wrong, apart from where: a requirement, or the expectation and what came instead. */
  readonly kind: string
  /** The promise that is broken, where a judge says so. */
  readonly requirement: RequirementId | null
  /** Where the step stands in the script, as in its log; null when no single step is to blame. */
  readonly path: string | null
  readonly step: StepInput | null
  readonly message: string
}

/** What one script came to. Equal for equal scripts and seeds, to the byte. */
export interface ScriptRun {
  /** Empty when the script broke off. */
  readonly log: readonly StepLog[]
  /** How often each fault and each crash struck, by its name. Empty when the script broke off. */
  readonly struck: Run['struck']
  /** Planned faults that never struck. 0 when the script broke off. */
  readonly unmetFaults: number
  /** What the judges said of its reports and of the totals that its keys were told. Empty when the script broke off. */
  readonly verdicts: readonly Verdict[]
  readonly problem: RandomRunProblem | null
}

export interface RandomRun extends ScriptRun {
  readonly seed: number
  readonly options: ScriptOptions
  readonly steps: readonly StepInput[]
}

/** Runs the script that `seed` draws, as `runScript` does. */
export async function runRandomScript(world: World, seed: number): Promise<RandomRun> {
  const { options, steps } = drawScript(seed)
  return { seed, options, steps, ...(await runScript(world, seed, steps)) }
}

/**
 * Resets the world, runs a script while the tripwire is armed, and judges every report against the chain as it was.
 * Never throws for what the service or the script does: that is the run's problem.
 */
export async function runScript(world: World, seed: number, steps: readonly StepInput[]): Promise<ScriptRun> {
  await world.reset(seed)
  const leaks: SimulationLeakError[] = []
  const disarm = arm({ rpcUrl: world.manifest.rpcUrl, onLeak: (leak) => leaks.push(leak) })
  try {
    const run = await runSteps(world, steps)
    const verdicts = judgeConfirm({ ...run, quotes: quotesIn(run, steps) })
    const problem = leakOf(leaks) ?? judgementOf(run, verdicts, steps)
    return { log: run.log, struck: run.struck, unmetFaults: run.unmetFaults, verdicts, problem }
  } catch (error) {
    const problem = leakOf(leaks) ?? problemOf(error, steps)
    return { log: [], struck: {}, unmetFaults: 0, verdicts: [], problem }
  } finally {
    disarm()
  }
}

function leakOf([leak]: readonly SimulationLeakError[]): RandomRunProblem | null {
  if (leak === undefined) return null
  const { api, caller, message } = leak
  const about = { kind: `${api} at ${caller}`, requirement: null, path: null, step: null }
  return { status: 'inconclusive', ...about, message }
}

function problemOf(error: unknown, steps: readonly StepInput[]): RandomRunProblem {
  if (error instanceof ExpectationError) {
    // What the chain says of a transaction is foretold by the script, and no promise of the service.
    const status = error.op === 'look' ? 'inconclusive' : 'fail'
    // Of what was seen its first word tells the kind, such as a status; the rest holds figures of this very run.
    const kind = `${error.op}: ${error.expected}, not ${error.seen.split(' ')[0]}`
    return { status, kind, requirement: null, ...placeOf(error.path, steps), message: error.message }
  }
  if (error instanceof StepError) {
    const about = { kind: `${error.op} impossible`, requirement: null }
    return { status: 'inconclusive', ...about, ...placeOf(error.path, steps), message: error.message }
  }
  throw error
}

/** The first broken promise. */
function judgementOf(
  run: Run,
  verdicts: readonly Verdict[],
  steps: readonly StepInput[],
): RandomRunProblem | null {
  const failed = verdicts.find(({ outcome }) => outcome === 'fail')
  if (failed === undefined) return null
  const { requirement, expected, seen, note = '' } = failed
  const path = pathIn(note, run)
  const place = path === null ? { path, step: null } : placeOf(path, steps)
  const message = `${requirement}: expected ${expected}, actual ${seen} (${note})`
  return { status: 'fail', kind: requirement, requirement, ...place, message }
}

/** The step that a verdict's note speaks of: by its number among the reports, or by its place in the script. */
function pathIn(note: string, { reports }: Run): string | null {
  const report = note.match(/^report (\d+)/)?.[1]
  if (report !== undefined) return reports[Number(report) - 1]?.path ?? null
  return note.match(/^step ([\d/]+)/)?.[1] ?? null
}

function placeOf(path: string, steps: readonly StepInput[]): Pick<RandomRunProblem, 'path' | 'step'> {
  return { path, step: steps[Number(path.split('/')[0])] ?? null }
}
