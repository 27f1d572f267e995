import { Command, Option } from 'commander'
import { describeFailure } from '../../reporting/describeFailure.ts'
import { type CaseRow, casesOf, type Results } from '../../reporting/results.ts'
import { FOUND_FOLDER, readFailures, writeFailure } from '../../runner/failures.ts'
import { describeMissed, missedFloors } from '../../runner/floors.ts'
import { runSuites } from '../../runner/run.ts'
import type { Ending } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { isRequirementId } from '../../spec/requirements/index.ts'
import { colours } from '../colours.ts'
import { endWith } from '../ending.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import { propertyRequest } from '../propertyRequest.ts'
import { describeProperties } from '../propertyTables.ts'
import { keepResults } from '../run/keepResults.ts'
import { writeOutcome } from '../run/show.ts'
import { FAILURES } from '../suites.ts'
import { wholeNumber } from '../wholeNumber.ts'
import type { PropertyChoice } from '../workerJob.ts'

interface PropertyOptions extends PropertyChoice {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out?: string
  readonly matrix?: boolean
  readonly regressions?: string
}

/** `plumbline property`: the property suites against the reference, or against a broken one. */
export function propertyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('property')
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
      const progress = runProgress(output, options.json ?? options.quiet ?? false, 'properties')
      const outcome = await runSuites({ ...propertyRequest(options), progress })
      const durationMs = Math.round(performance.now() - startedMs)
      const { seed, budget, out, json } = options
      if (json) output.out(JSON.stringify(outcome.result))
      else print(outcome.result, options, durationMs, output)
      const replay = `npx plumbline property --seed ${seed} --budget ${budget}`
      const keep = () => {
        if (out !== undefined) writeOutcome(outcome, out, { run: { replay, baseUrl: null, durationMs } })
      }
      const ending = await keepResults(outcome.result.verdict, keep, output)
      finish(endWith(ending, options, output))
    })
}

function print(results: Results, options: PropertyOptions, durationMs: number, output: Output): void {
  for (const row of casesOf(results)) for (const line of describeRow(row, options)) output.err(line)
  if (!options.quiet) {
    const { tables, volume } = describeProperties(results)
    for (const text of tables) output.out(text)
    const tookS = Math.round(durationMs / 1_000)
    output.out(`seed ${options.seed}, budget ${options.budget}, ${tookS} s: ${volume}`)
  }
  for (const missed of missedFloors(results.floors)) output.err(`below its floor: ${describeMissed(missed)}`)
}

/** A counterexample: seed and replay first, then what is wrong, then the smallest case. */
function describeRow(row: CaseRow, options: PropertyOptions): readonly string[] {
  const { id, failure, notes } = row
  if (failure === null) return []
  if (row.status !== 'fail') return describeFailure(row, null, colours)
  const { requirement, expected, seen: actual, replay } = failure
  const kept = keep(row, options)
  return [
    `seed ${options.seed}`,
    replay,
    `${id}: ${requirement} expected ${expected}, actual ${actual}`,
    ...notes,
    ...(kept === null ? [] : [`kept in ${kept}`]),
    '',
  ]
}

/** Keeps the smallest case of a failure. That of an injected defect is kept only where a folder is named for it. */
function keep({ id, failure }: CaseRow, { seed, defect, failures: folder }: PropertyOptions) {
  const { counterexample, expected, seen: actual } = failure ?? {}
  const requirement = failure?.requirement ?? ''
  if (counterexample === undefined || !isRequirementId(requirement)) return null
  if (defect !== undefined && folder === undefined) return null
  const known = [
    ...(folder === undefined ? readFailures(FAILURES) : []),
    ...readFailures(folder ?? FOUND_FOLDER),
  ]
  const kept = { property: id, requirement, expected: expected ?? '', actual: actual ?? '' }
  return writeFailure(folder ?? FOUND_FOLDER, { ...kept, seed, case: counterexample }, known)
}
