import type { RandomRunProblem, ScriptRun } from '../../runner/randomRun.ts'
import { inOrder } from './inOrder.ts'
import type { PlannedRun } from './plan.ts'
import type { Simulator } from './simulator.ts'

export interface FinishedRun extends PlannedRun, ScriptRun {}

/** Makes the planned runs, whatever the number of simulators, and tells of each in the order of the plan. */
export async function makeRuns(
  simulators: readonly Simulator[],
  plan: readonly PlannedRun[],
  onRun: (run: FinishedRun) => void,
): Promise<readonly FinishedRun[]> {
  const finished: FinishedRun[] = []
  await inOrder(
    simulators,
    plan,
    (simulator, { seed, steps }) => simulator.run({ seed, steps }),
    (planned, result) => {
      const run = { ...planned, ...result, problem: problemOf(planned, result) }
      finished.push(run)
      onRun(run)
    },
  )
  return finished
}

/** A story knows which promise it is told for, and means every fault that it plans. */
function problemOf(
  { requirement }: PlannedRun,
  { problem, unmetFaults }: ScriptRun,
): RandomRunProblem | null {
  if (requirement === null) return problem
  if (problem?.status === 'fail') return { ...problem, requirement: problem.requirement ?? requirement }
  if (problem !== null || unmetFaults === 0) return problem
  const message = `${unmetFaults} planned faults never occurred, so the scenario did not happen as planned`
  return { status: 'inconclusive', kind: 'unmet faults', requirement: null, path: null, step: null, message }
}

/** A failing run with the shortest script that was found for it. */
export interface ShrunkRun {
  readonly run: FinishedRun
  readonly problem: RandomRunProblem
  readonly shrunk: Awaited<ReturnType<Simulator['shrink']>>
}

/** Kinds of failures that one simulation looks into. A service that is broken everywhere would keep it for hours. */
const KINDS_MAX = 3

/**
 * Shrinks the first random run of each kind of failure. A kept failure is short already, and a story is meant to be as
 * long as it is.
 */
export async function shrinkFailures(
  simulators: readonly Simulator[],
  runs: readonly FinishedRun[],
): Promise<readonly ShrunkRun[]> {
  const failed = new Map<string, { readonly run: FinishedRun; readonly problem: RandomRunProblem }>()
  for (const run of runs) {
    const { options, problem } = run
    if (options === null || problem?.status !== 'fail' || failed.has(problem.kind)) continue
    failed.set(problem.kind, { run, problem })
  }
  const shrunkRuns: ShrunkRun[] = []
  await inOrder(
    simulators,
    [...failed.values()].slice(0, KINDS_MAX),
    (simulator, { run, problem }) => simulator.shrink({ seed: run.seed, steps: run.steps }, problem),
    ({ run, problem }, shrunk) => shrunkRuns.push({ run, problem, shrunk }),
  )
  return shrunkRuns
}
