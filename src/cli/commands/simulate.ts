import { Command, InvalidArgumentError } from 'commander'
import type { Ending } from '../../runner/ending.ts'
import { FOUND_FOLDER } from '../../runner/failures.ts'
import { floorsOf, missedFloors, sumLabels } from '../../runner/floors.ts'
import type { ScriptResult, ScriptTask } from '../../runner/runScript.ts'
import { namedScenarios } from '../../runner/scenarioFolder.ts'
import { type Floor, verdictOf } from '../../runner/verdict.ts'
import { forkWorker } from '../../runner/workers.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import { keepFailures } from '../simulate/keep.ts'
import { keptScripts, planRuns } from '../simulate/plan.ts'
import { recordRuns } from '../simulate/record.ts'
import { type FinishedRun, runPlan, shrinkFailures } from '../simulate/run.ts'
import { openSimulator, type Simulator } from '../simulate/simulator.ts'
import { type TraceWriter, traceFile, traceTo } from '../simulate/trace.ts'
import {
  coverageTable,
  describeProblem,
  describeRun,
  describeShrunk,
  describeUnmet,
} from '../simulateTables.ts'
import { floorsForRuns } from '../suites.ts'
import { wholeNumber } from '../wholeNumber.ts'
import { WORKER_PROGRAM, type WorkerJob } from '../workerJob.ts'

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
    .description(
      'Run random simulations of the reference service, or scenarios by name: faults, reorganisations, races, then correct reports.',
    )
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
    .option('--quiet', 'print nothing but failures')
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: string[], options: SimulateOptions) => {
      if (options.list) {
        for (const { name } of keptScripts()) output.out(name)
        for (const { id } of namedScenarios()) output.out(id)
        return
      }
      finish(endingOf(await simulate(patterns, options, output)))
    })
}

async function simulate(
  patterns: readonly string[],
  options: SimulateOptions,
  output: Output,
): Promise<readonly FinishedRun[]> {
  const plan = planRuns(patterns, options)
  const lines = !(options.quiet || options.json)
  const progress = createProgress(output, plan.length, !lines, 'simulations')
  const traces = tracesOf(options, output)
  const simulators = await startSimulators(Math.min(options.workers, plan.length))
  try {
    const runs = await runPlan(simulators, plan, (run) => {
      progress.step(`${run.name}, seed ${run.seed}`)
      for (const trace of traces) trace.add(run)
      progress.above(() => {
        if (lines) output.out(describeRun(run))
        if (run.problem !== null) output.err(describeProblem(run, run.problem))
      })
    })
    for (const trace of traces) trace.end()
    if (options.record !== undefined) {
      await recordRuns(options.record, runs, (path) => progress.step(`recorded ${path}`))
    }
    if (options.shrink) {
      const recordings = options.record ?? 'reports/latest/recordings'
      const shrunkRuns = await shrinkFailures(simulators, runs)
      await keepFailures(options.keep ?? FOUND_FOLDER, recordings, shrunkRuns, (kept) =>
        progress.above(() => output.err(describeShrunk(kept))),
      )
    }
    progress.end()
    if (lines) output.out(coverageTable(runs))
    const unmet = missedFloors(floorsMet(runs))
    if (unmet.length > 0) output.err(describeUnmet(unmet))
    return runs
  } finally {
    progress.end()
    await Promise.all(simulators.map((simulator) => simulator.stop()))
  }
}

function tracesOf({ trace, json }: SimulateOptions, output: Output): readonly TraceWriter[] {
  return [...(trace === undefined ? [] : [traceFile(trace)]), ...(json ? [traceTo(output.out)] : [])]
}

/**
 * One simulator needs no process of its own. Several do: the tripwire watches the globals of its process, and could not
 * tell two worlds apart.
 */
async function startSimulators(count: number): Promise<readonly Simulator[]> {
  if (count === 1) return [await openSimulator()]
  const job: WorkerJob = { kind: 'simulate' }
  return Array.from({ length: count }, () =>
    forkWorker<WorkerJob, ScriptTask, ScriptResult>(WORKER_PROGRAM, job),
  )
}

/** The verdict on these runs: each is a case. */
function endingOf(runs: readonly FinishedRun[]): Ending {
  const cases = runs.map(({ name, problem }) => ({ id: name, status: problem?.status ?? ('pass' as const) }))
  return verdictOf({ suites: [{ cases }], requirements: [], floors: [...floorsMet(runs)], baseline: null })
}

/** Scenarios and kept failures are what they are: the random runs alone must meet every state. */
function floorsMet(runs: readonly FinishedRun[]): readonly Floor[] {
  const random = runs.filter(({ options }) => options !== null)
  return floorsOf(floorsForRuns(random.length), sumLabels(random.map(({ labels }) => labels)))
}

function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('at least one is needed.')
  return value
}
