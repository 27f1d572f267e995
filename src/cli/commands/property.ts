import { Command, Option } from 'commander'
import { defectOf } from '../../../conformance/defects/index.ts'
import { REGRESSIONS } from '../../../property/index.ts'
import { partsOf } from '../../../property/parts.ts'
import { FAMILIES, runSuite, type SuiteRun } from '../../../property/suite.ts'
import type { Ending } from '../../runner/ending.ts'
import { type Regression, readRegressions, writeRegression } from '../../runner/propertyRegressions.ts'
import { describeCounterexample, type ReplayOptions } from '../../runner/propertyReport.ts'
import type { Counterexample } from '../../runner/propertyRun.ts'
import { didYouMean } from '../../runner/suggest.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import { resultsOf } from '../property/results.ts'
import { startHands } from '../property/workers.ts'
import { labelTable, propertyTable } from '../propertyTables.ts'
import { aboutRun } from '../report/aboutRun.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import { wholeNumber } from '../wholeNumber.ts'

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
  readonly regressions?: string
}

/** Where counterexamples go that nobody has committed yet; a run meets them before anything else, like those that are. */
const FOUND = 'reports/regressions'

/** `plumbline property`: the property suites against the reference, or against a broken one. */
export function propertyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('property')
    .description('Check properties of the reference service on generated cases.')
    .option('--seed <n>', 'decides every case', wholeNumber, 1)
    .addOption(new Option('--budget <size>', 'how many cases').choices(['quick', 'full']).default('quick'))
    .option('--only <id...>', 'run only the properties whose id begins so')
    .option('--defect <id>', 'run against this broken service instead')
    .option('--regressions <dir>', `where counterexamples are kept (default: ${FOUND})`)
    .option(
      '--workers <n>',
      'processes that judge; default: 2 for the full budget, none for the quick one',
      wholeNumber,
    )
    .option('--out <dir>', 'write the results there, with a report')
    .addOption(new Option('--matrix', 'replaced by `plumbline prove --properties`').hideHelp())
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'print nothing but counterexamples and classes that were missed')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline property --seed 1\n  plumbline property --only quote.delta --seed 7\n  plumbline property --budget full --out reports/property',
    )
    .action(async (options: PropertyOptions) => {
      if (options.matrix)
        throw new UsageError('--matrix is gone', 'Run `plumbline prove --properties` instead.')
      finish(await printSuite(options, chosen(options.only ?? []), output))
    })
}

/** Processes for the full budget: a core each, beside the chains. */
const FULL_WORKERS = 2

/** @throws {UsageError} a prefix begins no property's id: a typing error must not pass as an empty run. */
function chosen(prefixes: readonly string[]): ReadonlySet<string> | null {
  if (prefixes.length === 0) return null
  const ids = FAMILIES.flatMap(({ properties }) => properties.map(({ id }) => id))
  const idle = prefixes.find((prefix) => !ids.some((id) => id.startsWith(prefix)))
  if (idle !== undefined)
    throw new UsageError(
      `no property's id begins with ${idle}`,
      `${didYouMean(idle, ids)}Ids look like ${ids[0]}.`,
    )
  return new Set(ids.filter((id) => prefixes.some((prefix) => id.startsWith(prefix))))
}

async function printSuite(
  options: PropertyOptions,
  only: ReadonlySet<string> | null,
  output: Output,
): Promise<Ending> {
  const { seed, budget, defect, regressions } = options
  const planted = defect === undefined ? null : defectOf(defect)
  if (defect !== undefined && planted === null)
    throw new UsageError(`there is no defect ${defect}`, 'Run `plumbline prove` to see their ids.')
  const known = [
    ...(regressions === undefined ? readRegressions(REGRESSIONS) : []),
    ...readRegressions(regressions ?? FOUND),
  ]
  const choice = {
    seed,
    budget,
    only: only === null ? null : [...only],
    defect: defect ?? null,
    regressions: known,
  }
  const workers = options.workers ?? (budget === 'full' ? FULL_WORKERS : 0)
  const startedMs = performance.now()
  const parts = partsOf(FAMILIES, { budget, ...(only === null ? {} : { only }) })
  const progress = createProgress(output, parts.length, options.json ?? options.quiet ?? false, 'parts')
  const run = await runSuite({
    seed,
    budget,
    regressions: known,
    ...(workers < 2 ? {} : { hands: startHands(workers, choice) }),
    ...(only === null ? {} : { only }),
    ...(planted === null ? {} : { seams: planted.seams }),
    onPart: ({ family, from, to }) => progress.step(`${family}: cases ${from + 1} to ${to}`),
  }).finally(() => progress.end())
  const tookS = Math.round((performance.now() - startedMs) / 1_000)
  const found = run.families.flatMap(({ properties }) =>
    properties.flatMap(({ counterexample }) => counterexample ?? []),
  )
  // What a planted defect breaks is no regression of ours, unless somebody wants it kept.
  const files =
    planted === null || regressions !== undefined ? keep(found, seed, regressions ?? FOUND, known) : new Map()
  if (options.out !== undefined) writeRun(run, options, options.out, performance.now() - startedMs)
  if (options.json) output.out(JSON.stringify(jsonOf(run, options)))
  else printRun(run, options, found, files, tookS, output)
  return verdictOf(run, found)
}

/** Writes the results and their report, with the classes of the cases and what was demanded of them. */
function writeRun(run: SuiteRun, options: PropertyOptions, directory: string, durationMs: number): void {
  const replay = replayOf(options)
  const results = resultsOf(run, options.defect ?? 'reference', replay)
  const about = aboutRun({
    replay: `npm run property -- --seed ${options.seed} --budget ${options.budget}`,
    baseUrl: null,
    durationMs: Math.round(durationMs),
  })
  writeFiles(directory, {
    'results.json': `${JSON.stringify(results, null, 2)}\n`,
    'about.json': `${JSON.stringify(about, null, 2)}\n`,
  })
  writeReport(results, directory, { about })
}

function printRun(
  run: SuiteRun,
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
  const { quotes, builds, confirms, swaps } = run.asked
  say(
    `seed ${options.seed}, budget ${options.budget}, ${tookS} s: ${quotes} quotes, ${builds} builds, ${swaps} swaps built and executed, ${confirms} reports`,
  )
  for (const missed of missedOf(run)) output.err(`below its floor: ${missed}`)
}

function replayOf({ seed, budget, defect, regressions }: PropertyOptions): ReplayOptions {
  return {
    seed,
    budget,
    ...(defect === undefined ? {} : { defect }),
    ...(regressions === undefined ? {} : { regressions }),
  }
}

function keep(
  found: readonly Counterexample[],
  seed: number,
  directory: string,
  known: readonly Regression[],
): Map<string, string> {
  return new Map(
    found
      .filter(({ drawn }) => drawn !== null)
      .map(({ property, broken: { requirement, expected, seen }, input }) => [
        property,
        writeRegression(directory, { property, requirement, expected, seen, seed, case: input }, known),
      ]),
  )
}

function jsonOf(run: SuiteRun, { seed, budget, defect }: PropertyOptions): unknown {
  return {
    seed,
    budget,
    defect: defect ?? null,
    asked: run.asked,
    labels: Object.fromEntries(run.labels),
    missed: missedOf(run),
    families: run.families.map(({ id, cases, regressions, properties }) => ({
      id,
      cases,
      regressions,
      properties: properties.map(({ counterexample, ...rest }) => ({
        ...rest,
        counterexample: counterexample && {
          ...counterexample,
          broken: {
            requirement: counterexample.broken.requirement,
            expected: counterexample.broken.expected,
            seen: counterexample.broken.seen,
          },
        },
      })),
    })),
  }
}

/** `label: met of floor` for each floor that was not reached. */
function missedOf({ floors }: SuiteRun): readonly string[] {
  return floors
    .filter(({ met, floor }) => met < floor)
    .map(({ label, met, floor }) => `${label}: ${met} of ${floor}`)
}

function verdictOf(run: SuiteRun, found: readonly Counterexample[]): Ending {
  if (found.length > 0) return 'does-not-conform'
  const silent = run.families.some(({ properties }) => properties.some(({ questions }) => questions === 0))
  return silent || missedOf(run).length > 0 ? 'inconclusive' : 'conforms'
}
