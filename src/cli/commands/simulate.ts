import { Command, InvalidArgumentError } from 'commander'
import { FOUND_FOLDER, readFailures } from '../../runner/failures.ts'
import { missedFloors } from '../../runner/floors.ts'
import { runSuites } from '../../runner/run.ts'
import { namedScenarios } from '../../runner/scenarioFolder.ts'
import { keptScripts } from '../../runner/simulate/plan.ts'
import type { FinishedRun } from '../../runner/simulate/run.ts'
import { executeSimulation, type SimulateExecution } from '../../runner/simulate/simulate.ts'
import { type TraceWriter, traceFile, traceTo } from '../../runner/simulate/trace.ts'
import type { Ending } from '../../runner/verdict.ts'
import { endWith } from '../ending.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import {
  coverageTable,
  describeProblem,
  describeRun,
  describeShrunk,
  describeUnmet,
} from '../simulateTables.ts'
import { FAILURES, floorsForRuns, historyFamily } from '../suites.ts'
import { wholeNumber } from '../wholeNumber.ts'
import { forkWorkers, openSimulator } from '../workerJob.ts'

interface SimulateOptions {
  readonly seed: number
  readonly runs?: number
  readonly workers: number
  readonly trace?: string
  readonly record?: string
  readonly keep?: string
  readonly shrink: boolean
  readonly list?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

const EXAMPLES = `
Kept failures run first: scripts that broke a property once, in ${FOUND_FOLDER} and property/failures.

Examples:
  plumbline simulate --seed 1 --runs 50              fifty random scripts, seeds 1 to 50
  plumbline simulate --runs 500 --workers 2          side by side, with the same output
  plumbline simulate reorg.after-recorded 'window.*' scenarios by name or pattern
  plumbline simulate my-scenario.json                a scenario of your own, or a folder of them
  plumbline simulate 'kept.*'                        only what was found before
  plumbline simulate --runs 50 --trace trace.ndjson  everything that happened, to compare byte by byte
  plumbline simulate 'reorg.*' --record recordings   recordings to verify and to replay`

/** `plumbline simulate`: kept failures, then random scripts, or scenarios by name, against the reference. */
export function simulateCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('simulate')
    .argument(
      '[scenario...]',
      'names of scenarios or kept failures, patterns with *, or paths of scenario files and folders',
    )
    .option('--seed <n>', 'the seed of the first run; each further run has the next', wholeNumber, 1)
    .option(
      '--runs <n>',
      'how many random runs (default: 20), or seeds for each scenario (default: 1)',
      atLeastOne,
    )
    .option('--workers <n>', 'how many worlds run side by side, each in a process of its own', atLeastOne, 1)
    .option('--trace <file>', 'write script, log and verdicts of every run, as NDJSON')
    .option('--record <dir>', 'record every run into a file of its own, for `verify` and `replay`')
    .option('--keep <dir>', `where a shrunk failure is written (default: ${FOUND_FOLDER})`)
    .option('--no-shrink', 'leave a failing script as it is')
    .option('--list', 'print the names of kept failures and scenarios, and run nothing')
    .option('--json', 'print the trace instead of lines and tables')
    .option('--quiet', 'print nothing but failures and the verdict')
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: string[], options: SimulateOptions) => {
      if (options.list) {
        const failures = readFailures(FAILURES, FOUND_FOLDER)
        for (const { name } of keptScripts({ family: historyFamily, failures })) output.out(name)
        for (const { id } of namedScenarios()) output.out(id)
        return
      }
      finish(await runSimulation(patterns, options, output))
    })
}

async function runSimulation(
  patterns: readonly string[],
  options: SimulateOptions,
  output: Output,
): Promise<Ending> {
  const { seed, runs, json, quiet } = options
  const traces = tracesOf(options, output)
  const progress = runProgress(output, Boolean(quiet || json), 'simulations')
  const finished: FinishedRun[] = []
  const execution: SimulateExecution = {
    patterns,
    seed,
    runs,
    family: historyFamily,
    floorsForRuns,
    record: options.record,
    failures: readFailures(FAILURES, FOUND_FOLDER),
    // The tripwire watches the globals of its process, and could not distinguish two worlds.
    openWorkers: async (count) => {
      const workers = Math.min(options.workers, count)
      return workers < 2 ? [await openSimulator()] : forkWorkers(workers, { kind: 'simulate' })
    },
    keep: options.shrink
      ? { folder: options.keep ?? FOUND_FOLDER, recordings: options.record ?? 'reports/latest/recordings' }
      : null,
    watch: {
      onRun: (run) => {
        finished.push(run)
        progress.step(`${run.name}, seed ${run.seed}`)
        for (const trace of traces) trace.add(run)
        progress.above(() => {
          if (!(quiet || json)) output.out(describeRun(run))
          if (run.problem !== null) output.err(describeProblem(run, run.problem))
        })
      },
      onRecorded: (file) => progress.step(`recorded ${file}`),
      onKept: (kept) => progress.above(() => output.err(describeShrunk(kept))),
    },
  }
  const { result } = await runSuites({
    command: 'simulate',
    suites: [],
    target: 'reference',
    options: {},
    seed,
    progress,
    replay: ({ id }) => `npx plumbline simulate ${id}`,
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

function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('at least one is needed.')
  return value
}
