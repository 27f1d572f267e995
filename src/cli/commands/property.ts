import { Command, Option } from 'commander'
import type { Results } from '../../reporting/results.ts'
import { describeCounterexample, type ReplayOptions } from '../../runner/counterexample.ts'
import type { Ending } from '../../runner/ending.ts'
import { FOUND_FOLDER, type KeptFailure, readFailures, writeFailure } from '../../runner/failures.ts'
import { describeMissed, missedFloors } from '../../runner/floors.ts'
import {
  type FamiliesRun,
  type FamilyResult,
  type FamilyTask,
  partsOf,
  runFamilies,
} from '../../runner/runFamilies.ts'
import type { Counterexample } from '../../runner/runFamily.ts'
import { select } from '../../runner/select.ts'
import { openWorkers } from '../../runner/workers.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import { resultsOf } from '../property/results.ts'
import { labelTable, propertyTable } from '../propertyTables.ts'
import { aboutRun } from '../report/aboutRun.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import { defectOf, FAILURES, FAMILIES, floorsFor, openFamilyWorker } from '../suites.ts'
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
    .option('--json', 'print the result as JSON')
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
      finish(await printSuite(options, chosen(options.only ?? []), output))
    })
}

/** Processes for the full budget: a core each, next to the chains. */
const FULL_WORKERS = 2
/** Without processes: one calculates while the other waits for its chain. */
const WORLDS = 2

/** The ids of the properties that patterns select; null: all. */
function chosen(patterns: readonly string[]): ReadonlySet<string> | null {
  if (patterns.length === 0) return null
  const properties = FAMILIES.flatMap((family) => family.properties)
  return new Set(select(properties, patterns, { kind: 'property' }).map(({ id }) => id))
}

async function printSuite(
  options: PropertyOptions,
  only: ReadonlySet<string> | null,
  output: Output,
): Promise<Ending> {
  const { seed, budget, defect, failures } = options
  const planted = defect === undefined ? null : defectOf(defect)
  if (defect !== undefined && planted === null)
    throw new UsageError(`there is no defect ${defect}`, 'Run `plumbline prove` to see their ids.')
  const known = [
    ...(failures === undefined ? readFailures(FAILURES) : []),
    ...readFailures(failures ?? FOUND_FOLDER),
  ]
  const choice = { seed, budget, failures: known, ...(only === null ? {} : { only }) }
  const startedMs = performance.now()
  const progress = createProgress(
    output,
    partsOf(FAMILIES, choice).length,
    options.json ?? options.quiet ?? false,
    'parts',
  )
  const processes = options.workers ?? (budget === 'full' ? FULL_WORKERS : 0)
  const job: WorkerJob = { kind: 'property', ...choice, only: only && [...only], defect: defect ?? null }
  const workers = await openWorkers<WorkerJob, FamilyTask, FamilyResult>(
    processes,
    { count: WORLDS, open: () => openFamilyWorker(choice, planted?.seams) },
    WORKER_PROGRAM,
    job,
  )
  const run = await runFamilies(FAMILIES, workers, {
    ...choice,
    floors: floorsFor(budget, only),
    onPart: ({ family, from, to }) => progress.step(`${family}: cases ${from + 1} to ${to}`),
  }).finally(async () => {
    progress.end()
    await Promise.all(workers.map((worker) => worker.stop()))
  })
  const tookS = Math.round((performance.now() - startedMs) / 1_000)
  const found = run.families.flatMap(({ properties }) =>
    properties.flatMap(({ counterexample }) => counterexample ?? []),
  )
  // What a planted defect breaks is kept only where somebody names a folder for it.
  const files =
    planted === null || failures !== undefined
      ? keep(found, seed, failures ?? FOUND_FOLDER, known)
      : new Map()
  const results = resultsOf(run, defect ?? 'reference', replayOf(options))
  writeRun(results, options, performance.now() - startedMs)
  if (options.json) output.out(JSON.stringify(jsonOf(run, options)))
  else printRun(run, options, found, files, tookS, output)
  return results.verdict
}

/** Writes the results and their report, with the classes of the cases and what was demanded of them. */
function writeRun(results: Results, { seed, budget, out }: PropertyOptions, durationMs: number): void {
  if (out === undefined) return
  const about = aboutRun({
    replay: `npx plumbline property --seed ${seed} --budget ${budget}`,
    baseUrl: null,
    durationMs: Math.round(durationMs),
  })
  writeFiles(out, {
    'results.json': `${JSON.stringify(results, null, 2)}\n`,
    'about.json': `${JSON.stringify(about, null, 2)}\n`,
  })
  writeReport(results, out, { about })
}

function printRun(
  run: FamiliesRun,
  options: PropertyOptions,
  found: readonly Counterexample[],
  files: ReadonlyMap<string, string>,
  tookS: number,
  output: Output,
): void {
  const replay = replayOf(options)
  for (const counterexample of found) {
    for (const line of describeCounterexample(counterexample, replay)) output.err(line)
    const file = files.get(counterexample.property)
    if (file !== undefined) output.err(`kept in ${file}`)
    output.err('')
  }
  const say = options.quiet ? () => {} : output.out
  say(labelTable(run))
  say(propertyTable(run))
  const count = (what: string) => run.labels.get(`in all: ${what}`) ?? 0
  say(
    `seed ${options.seed}, budget ${options.budget}, ${tookS} s: ${count('quotes')} quotes, ${count('builds')} builds, ${count('swaps')} swaps built and executed, ${count('confirms')} reports`,
  )
  for (const missed of missedFloors(run.floors)) output.err(`below its floor: ${describeMissed(missed)}`)
}

function replayOf({ seed, budget, defect, failures }: PropertyOptions): ReplayOptions {
  return {
    seed,
    budget,
    ...(defect === undefined ? {} : { defect }),
    ...(failures === undefined ? {} : { failures }),
  }
}

function keep(
  found: readonly Counterexample[],
  seed: number,
  folder: string,
  known: readonly KeptFailure[],
): Map<string, string> {
  return new Map(
    found
      .filter(({ generated }) => generated !== null)
      .map(({ property, requirement, expected, actual, input }) => [
        property,
        writeFailure(folder, { property, requirement, expected, actual, seed, case: input }, known),
      ]),
  )
}

function jsonOf(
  { families, labels, floors }: FamiliesRun,
  { seed, budget, defect }: PropertyOptions,
): unknown {
  return {
    seed,
    budget,
    defect: defect ?? null,
    labels: Object.fromEntries(labels),
    floors,
    families: families.map(({ labels: _labels, ...family }) => family),
  }
}
