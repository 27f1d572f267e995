import type { BrokenProperty } from '../families/runFamilyCase.ts'
import type { RunProblem, ScriptResult, ScriptRun, ScriptTask, ShrunkScript } from '../families/runScript.ts'
import { runInOrder, type Worker } from '../pool/workers.ts'
import type { PlannedRun } from './plan.ts'
import type { RunToRecord } from './record.ts'

/** Describes what a simulator does: runs or shrinks a script, or records a run once more. Plain data. */
export type SimulatorTask = ScriptTask | { readonly kind: 'record'; readonly run: RunToRecord }

/** The result of a task; of a recorded run, the text of its recording. */
export type SimulatorResult = ScriptResult | string

/** Runs, shrinks and records scripts, one after another. */
export type Simulator = Worker<SimulatorTask, SimulatorResult>

export interface FinishedRun extends PlannedRun, ScriptRun {}

/** Runs the plan, on any number of simulators, and reports each run in the order of the plan. */
export async function runPlan(
  simulators: readonly Simulator[],
  plan: readonly PlannedRun[],
  onRun: (run: FinishedRun) => void,
): Promise<readonly FinishedRun[]> {
  const finished: FinishedRun[] = []
  const tasks = plan.map(
    ({ seed, steps, requirement }): ScriptTask => ({ kind: 'run', script: { seed, steps, requirement } }),
  )
  await runInOrder(simulators, tasks, (result, index) => {
    const run = { ...(plan[index] as PlannedRun), ...(result as ScriptRun) }
    finished.push(run)
    onRun(run)
  })
  return finished
}

/** A failing run with the shortest script that was found for it. */
export interface ShrunkRun {
  readonly run: FinishedRun
  readonly problem: RunProblem
  readonly shrunk: ShrunkScript
}

/** Kinds of failures that one simulation shrinks. A service that is broken everywhere would keep it for hours. */
const KINDS_MAX = 3

/** Shrinks the first random run of each kind of failure: of each property with each requirement that it breaks. */
export async function shrinkFailures(
  simulators: readonly Simulator[],
  runs: readonly FinishedRun[],
): Promise<readonly ShrunkRun[]> {
  const failed = new Map<string, { readonly run: FinishedRun; readonly problem: RunProblem }>()
  for (const run of runs) {
    const { options, problem } = run
    if (options === null || problem === null || problem.broken === null) continue
    const kind = `${problem.broken.property} ${problem.broken.requirement}`
    if (!failed.has(kind)) failed.set(kind, { run, problem })
  }
  const first = [...failed.values()].slice(0, KINDS_MAX)
  const tasks = first.map(
    ({ run: { seed, steps }, problem }): ScriptTask => ({
      kind: 'shrink',
      script: { seed, steps, requirement: null },
      broken: problem.broken as BrokenProperty,
    }),
  )
  const shrunk = (await runInOrder(simulators, tasks)) as readonly ShrunkScript[]
  return first.map((each, index) => ({ ...each, shrunk: shrunk[index] as ShrunkScript }))
}
