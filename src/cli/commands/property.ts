import { Command, Option } from 'commander'
import { casesOf, type Results } from '../../reporting/results.ts'
import { executeFamilies } from '../../runner/executeFamilies.ts'
import { FOUND_FOLDER, readFailures } from '../../runner/failures.ts'
import { describeMissed, missedFloors } from '../../runner/floors.ts'
import { type RunRequest, runSuites } from '../../runner/run.ts'
import type { FamilyResult, FamilyTask } from '../../runner/runFamilies.ts'
import type { Ending } from '../../runner/verdict.ts'
import { openWorkers } from '../../runner/workers.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import { describeProperties } from '../propertyTables.ts'
import { writeOutcome } from '../run/show.ts'
import { defectOf, FAILURES, FAMILIES, familySuite, floorsFor, openFamilyWorker } from '../suites.ts'
import { wholeNumber } from '../wholeNumber.ts'
import { WORKER_PROGRAM, type WorkerJob } from '../workerJob.ts'

interface PropertyOptions {
  readonly seed: number
  readonly budget: 'quick' | 'full'
  readonly only?: string[]
  readonly json?: boolean
  readonly quiet?: boolean
  readonly workers?: number
  readonly out?: string
  readonly matrix?: boolean
  readonly defect?: string
  readonly failures?: string
  readonly regressions?: string
}

/** `plumbline property`: the property suites against the reference, or against a broken one. */
export function propertyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('property')
    .description(
      'Check properties that must hold for any case, with generated cases, against the reference service.',
    )
    .option('--seed <n>', 'decides every case', wholeNumber, 1)
    .addOption(new Option('--budget <size>', 'how many cases').choices(['quick', 'full']).default('quick'))
    .option('--only <id...>', 'run only these properties, by id, pattern with *, requirement or section')
    .option('--defect <id>', 'run against this known-broken service instead')
    .option('--failures <dir>', `where counterexamples are kept (default: ${FOUND_FOLDER})`)
    .addOption(new Option('--regressions <dir>').hideHelp())
    .option(
      '--workers <n>',
      'processes that run cases; default: 2 for the full budget, none for the quick one',
      wholeNumber,
    )
    .option('--out <dir>', 'write the results there, with a report')
    .addOption(new Option('--matrix', 'replaced by `plumbline prove --properties`').hideHelp())
    .option('--json', 'print the results as JSON')
    .option('--quiet', 'print nothing but counterexamples and floors that were not met')
    .addHelpText(
      'after',
      "\nExamples:\n  plumbline property --seed 1\n  plumbline property --only 'quote.delta*' --seed 7\n  plumbline property --budget full --out reports/property",
    )
    .action(async (options: PropertyOptions) => {
      if (options.matrix)
        throw new UsageError('--matrix is gone', 'Run `plumbline prove --properties` instead.')
      if (options.regressions !== undefined)
        throw new UsageError('--regressions is gone', 'Use --failures with the same folder.')
      const startedMs = performance.now()
      const outcome = await runSuites(requestOf(options, output))
      const durationMs = Math.round(performance.now() - startedMs)
      const { seed, budget, out, json } = options
      if (out !== undefined) {
        const replay = `npx plumbline property --seed ${seed} --budget ${budget}`
        writeOutcome(outcome, out, { replay, baseUrl: null, durationMs })
      }
      if (json) output.out(JSON.stringify(outcome.result))
      else print(outcome.result, options, durationMs, output)
      finish(outcome.result.verdict)
    })
}

/** Processes for the full budget: a core each, next to the chains. */
const FULL_WORKERS = 2
/** Without processes: one calculates while the other waits for its chain. */
const WORLDS = 2

/** @throws {UsageError} there is no such defect. */
function requestOf(options: PropertyOptions, output: Output): RunRequest {
  const { seed, budget, defect, failures: folder } = options
  const injected = defect === undefined ? null : defectOf(defect)
  if (defect !== undefined && injected === null)
    throw new UsageError(`there is no defect ${defect}`, 'Run `plumbline prove` to see their ids.')
  const failures = [
    ...(folder === undefined ? readFailures(FAILURES) : []),
    ...readFailures(folder ?? FOUND_FOLDER),
  ]
  const replay = {
    ...{ seed, budget },
    ...(defect === undefined ? {} : { defect }),
    ...(folder === undefined ? {} : { failures: folder }),
  }
  const processes = options.workers ?? (budget === 'full' ? FULL_WORKERS : 0)
  const execution = {
    ...{ families: FAMILIES, seed, budget, failures, replay, target: defect ?? 'reference' },
    floorsFor: (only: ReadonlySet<string> | null) => floorsFor(budget, only),
    openWorkers: (only: ReadonlySet<string> | null) => {
      const choice = { seed, budget, failures, ...(only === null ? {} : { only }) }
      const here = { count: WORLDS, open: () => openFamilyWorker(choice, injected?.seams) }
      const job: WorkerJob = { kind: 'property', ...choice, only: only && [...only], defect: defect ?? null }
      return openWorkers<WorkerJob, FamilyTask, FamilyResult>(processes, here, WORKER_PROGRAM, job)
    },
    // What an injected defect breaks is kept only where a folder is named for it.
    keep: injected === null || folder !== undefined ? (folder ?? FOUND_FOLDER) : null,
  }
  return {
    ...{ command: 'property', suites: [familySuite], target: 'reference', options: {}, seed },
    only: options.only ?? [],
    replay: ({ id }) => `npx plumbline property --seed ${seed} --only ${id}`,
    progress: runProgress(output, options.json ?? options.quiet ?? false, 'parts'),
    execute: (request) => executeFamilies(execution, request),
  }
}

function print(results: Results, options: PropertyOptions, durationMs: number, output: Output): void {
  for (const { failure } of casesOf(results)) if (failure !== null) output.err(`${failure.message}\n`)
  if (!options.quiet) {
    const { tables, volume } = describeProperties(results)
    for (const text of tables) output.out(text)
    const tookS = Math.round(durationMs / 1_000)
    output.out(`seed ${options.seed}, budget ${options.budget}, ${tookS} s: ${volume}`)
  }
  for (const missed of missedFloors(results.floors)) output.err(`below its floor: ${describeMissed(missed)}`)
}
