import { checkFolder } from '../../host/writeWhole.ts'
import type { CaseResult } from '../../runner/cases/runCase.ts'
import { readFailures } from '../../runner/families/failures.ts'
import { FOUND_FOLDER } from '../../runner/families/foundFolder.ts'
import type { ShrunkScript } from '../../runner/families/runScript.ts'
import { inOrder } from '../../runner/pool/workers.ts'
import { execute } from '../../runner/run/execute.ts'
import { runSuites } from '../../runner/run/run.ts'
import { namedScenarios } from '../../runner/scenarios/scenarioFolder.ts'
import { keptScripts, type PlannedRun, planRuns } from '../../runner/simulate/plan.ts'
import { type KeptRun, keepFailures, recordRuns } from '../../runner/simulate/record.ts'
import {
  type FinishedRun,
  finishedRun,
  runsToShrink,
  type ShrunkRun,
  type Simulation,
  simulationIds,
} from '../../runner/simulate/simulations.ts'
import { type TraceWriter, traceFile, traceTo } from '../../runner/simulate/trace.ts'
import { missedFloors } from '../../runner/verdict/floors.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { SCRIPTS_AT_ONCE } from '../forkWorkers.ts'
import type { RunOptions } from '../run/options.ts'
import type { Run } from '../run/plainRun.ts'
import { requestOf } from '../run/run.ts'
import { historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import { FAILURES } from '../suites/suites.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'
import { runProgress } from '../terminal/progress.ts'
import { coverageBlocks, problemBlocks, runLine, shrunkBlocks, unmetBlocks } from './simulationBlocks.ts'

export interface SimulateOptions
  extends Pick<RunOptions, 'seed' | 'runs' | 'record' | 'failures' | 'list' | 'defect' | 'json' | 'quiet'> {
  readonly workers: number
  readonly trace?: string
  readonly shrink: boolean
}

/** Prints the names of kept failures and scenarios. */
export function listScripts(output: Output): void {
  const failures = readFailures(FAILURES, FOUND_FOLDER)
  for (const { name } of keptScripts({ family: historyFamily, failures })) output.out(name)
  for (const { id } of namedScenarios()) output.out(id)
}

/**
 * Runs `plumbline simulate`: kept failures and random scripts, or the scenarios that the patterns select. Equal flags give equal
 * output, for any number of workers.
 *
 * @throws what `planRuns` and `recordRuns` throw. {UsageError} the folder for recordings cannot be written.
 */
export async function runSimulation(
  patterns: readonly string[],
  options: SimulateOptions,
  output: Output,
): Promise<Ending> {
  const { seed, runs, json, quiet, defect, record } = options
  if (record !== undefined) checkFolder(record)
  const traces = tracesOf(options, output)
  const progress = runProgress(output, Boolean(quiet || json), 'simulations')
  const failures = readFailures(FAILURES, FOUND_FOLDER)
  const plan = planRuns({ patterns, seed, runs, family: historyFamily, failures })
  const broken = defect === undefined ? null : { id: defect, seams: await loadSeams(defect) }
  const finished: FinishedRun[] = []
  const onRun = (run: FinishedRun) => {
    finished.push(run)
    for (const trace of traces) trace.add(run)
    progress.above(() => {
      if (!(quiet || json)) printBlocks([runLine(run)], output.out)
      printBlocks(problemBlocks(run, defect), output.err)
    })
  }
  const request = await requestOf(runOf(plan, options))
  const { result } = await runSuites({
    ...request,
    progress,
    onResult: inPlanOrder(plan, onRun),
    execute: async (planned) => {
      const executed = await execute(planned)
      if (record !== undefined) {
        const named = finished.map((run) => ({ ...run, name: `${run.name}.seed-${run.seed}` }))
        await recordRuns(record, named, (file) => progress.step(`recorded ${file}`), broken)
      }
      if (options.shrink) {
        const folders = {
          folder: options.failures ?? FOUND_FOLDER,
          recordings: record ?? 'reports/latest/recordings',
        }
        const onKept = (kept: KeptRun) =>
          progress.above(() => printBlocks(shrunkBlocks(kept, defect), output.err))
        await keepFailures(folders, failures, await shrinkRuns(finished, options), onKept, broken)
      }
      return executed
    },
  })
  for (const trace of traces) trace.end()
  if (!(quiet || json)) printBlocks(coverageBlocks(finished), output.out)
  printBlocks(unmetBlocks(missedFloors(result.floors)), output.err)
  return endWith(result.verdict, { json }, output)
}

/** Returns simulations as a run. */
function runOf(simulations: readonly Simulation[], { seed, workers, defect }: SimulateOptions): Run {
  return {
    ...{ command: 'simulate', target: 'reference', options: {}, seed },
    suites: [{ name: 'simulations', simulations }],
    workers: Math.min(workers, simulations.length),
    lanes: Math.min(SCRIPTS_AT_ONCE, simulations.length),
    ...(defect === undefined ? {} : { defect }),
  }
}

/** Returns a callback that passes finished runs on in the order of the plan. */
function inPlanOrder(
  plan: readonly Simulation[],
  onRun: (run: FinishedRun) => void,
): (result: CaseResult) => void {
  const places = new Map(simulationIds(plan).map((id, index) => [id, index]))
  const pass = inOrder<CaseResult>((result, index) => onRun(finishedRun(plan[index] as PlannedRun, result)))
  return (result) => pass(result, places.get(result.id) as number)
}

/** Shrinks the first run of each kind of failure. */
async function shrinkRuns(
  finished: readonly FinishedRun[],
  options: SimulateOptions,
): Promise<readonly ShrunkRun[]> {
  const failed = runsToShrink(finished)
  if (failed.length === 0) return []
  const { suites } = await execute(await requestOf(runOf(failed, options)))
  return failed.map((run, index) => ({ run, shrunk: suites[0]?.cases[index]?.attached as ShrunkScript }))
}

function tracesOf({ trace, json }: SimulateOptions, output: Output): readonly TraceWriter[] {
  return [...(trace === undefined ? [] : [traceFile(trace)]), ...(json ? [traceTo(output.out)] : [])]
}
