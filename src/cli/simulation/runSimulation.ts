import { readFailures } from '../../runner/families/failures.ts'
import { FOUND_FOLDER } from '../../runner/families/foundFolder.ts'
import { runSuites } from '../../runner/run/run.ts'
import { namedScenarios } from '../../runner/scenarios/scenarioFolder.ts'
import { keptScripts } from '../../runner/simulate/plan.ts'
import type { FinishedRun } from '../../runner/simulate/run.ts'
import { executeSimulation, type SimulateExecution } from '../../runner/simulate/simulate.ts'
import { type TraceWriter, traceFile, traceTo } from '../../runner/simulate/trace.ts'
import { missedFloors } from '../../runner/verdict/floors.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { forkWorkers } from '../forkWorkers.ts'
import { floorsForRuns, historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import { FAILURES } from '../suites/suites.ts'
import { endWith } from '../terminal/ending.ts'
import { invocation } from '../terminal/invocation.ts'
import type { Output } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { openSimulator } from './openSimulator.ts'
import {
  coverageTable,
  describeProblem,
  describeRun,
  describeShrunk,
  describeUnmet,
} from './simulateTables.ts'

/** The options of `plumbline simulate`. */
export interface SimulateOptions {
  readonly seed: number
  readonly runs?: number
  readonly workers: number
  readonly trace?: string
  readonly record?: string
  /** Where a shrunk failure is written. */
  readonly failures?: string
  readonly shrink: boolean
  readonly list?: boolean
  /** The id of a known-broken service. */
  readonly defect?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Prints the names of kept failures and scenarios. */
export function listScripts(output: Output): void {
  const failures = readFailures(FAILURES, FOUND_FOLDER)
  for (const { name } of keptScripts({ family: historyFamily, failures })) output.out(name)
  for (const { id } of namedScenarios()) output.out(id)
}

/** Runs kept failures and random scripts, or the scenarios of these patterns, as the flags of `plumbline simulate` say. */
export async function runSimulation(
  patterns: readonly string[],
  options: SimulateOptions,
  output: Output,
): Promise<Ending> {
  const { seed, runs, json, quiet, defect } = options
  const traces = tracesOf(options, output)
  const progress = runProgress(output, Boolean(quiet || json), 'simulations')
  const finished: FinishedRun[] = []
  const execution: SimulateExecution = {
    command: invocation(),
    patterns,
    seed,
    runs,
    family: historyFamily,
    floorsForRuns,
    record: options.record,
    failures: readFailures(FAILURES, FOUND_FOLDER),
    openWorkers: async (count) => {
      const workers = Math.min(options.workers, count)
      const job = { kind: 'simulate', ...(defect === undefined ? {} : { defect }) } as const
      return workers < 2 ? [openSimulator(defect)] : forkWorkers(workers, job)
    },
    ...(defect === undefined ? {} : { defect: { id: defect, seams: await loadSeams(defect) } }),
    keep: options.shrink
      ? {
          folder: options.failures ?? FOUND_FOLDER,
          recordings: options.record ?? 'reports/latest/recordings',
        }
      : null,
    watch: {
      onRun: (run) => {
        finished.push(run)
        progress.step(`${run.name}, seed ${run.seed}`)
        for (const trace of traces) trace.add(run)
        progress.above(() => {
          if (!(quiet || json)) output.out(describeRun(run))
          if (run.problem !== null) output.err(describeProblem(run, run.problem, defect))
        })
      },
      onRecorded: (file) => progress.step(`recorded ${file}`),
      onKept: (kept) => progress.above(() => output.err(describeShrunk(kept, defect))),
    },
  }
  const { result } = await runSuites({
    command: 'simulate',
    suites: [],
    target: 'reference',
    options: {},
    seed,
    progress,
    replay: ({ id }) => `${invocation()} simulate ${id}`,
    execute: (request) => executeSimulation(execution, request),
  })
  for (const trace of traces) trace.end()
  if (!(quiet || json)) output.out(coverageTable(finished))
  const unmet = missedFloors(result.floors)
  if (unmet.length > 0) output.err(describeUnmet(unmet))
  return endWith(result.verdict, { json: json ?? false }, output)
}

function tracesOf({ trace, json }: SimulateOptions, output: Output): readonly TraceWriter[] {
  return [...(trace === undefined ? [] : [traceFile(trace)]), ...(json ? [traceTo(output.out)] : [])]
}
