import { paragraph } from '../reporting/document/model.ts'
import { toTerminal } from '../reporting/document/terminal.ts'
import { caseSection, FAILURES_IN_TERMINAL } from '../reporting/documents/causes.ts'
import { classTable, propertyTable } from '../reporting/documents/tables.ts'
import { propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import { type CaseRow, casesOf, type Results } from '../reporting/results.ts'
import { readFailures, writeFailure } from '../runner/failures.ts'
import { describeMissed, missedFloors } from '../runner/floors.ts'
import { FOUND_FOLDER } from '../runner/foundFolder.ts'
import { runSuites } from '../runner/run.ts'
import type { Ending } from '../runner/verdict.ts'
import { isRequirementId } from '../spec/requirements/index.ts'
import { colours } from './colours.ts'
import { endWith } from './ending.ts'
import { invocation } from './invocation.ts'
import type { Output } from './output.ts'
import { runProgress } from './progress.ts'
import { type PropertyChoice, propertyRequest } from './propertyRequest.ts'
import { keepResults } from './run/keepResults.ts'
import { writeOutcome } from './run/show.ts'
import { FAILURES } from './suites.ts'

/** The options of `plumbline property`. */
export interface PropertyOptions extends PropertyChoice {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out?: string
}

/**
 * Runs the properties against the reference, or against a broken one, as the flags of `plumbline property` say.
 *
 * @throws {UsageError} there is no such defect.
 */
export async function runProperties(options: PropertyOptions, output: Output): Promise<Ending> {
  const startedMs = performance.now()
  const progress = runProgress(output, options.json ?? options.quiet ?? false, 'properties')
  const outcome = await runSuites({ ...propertyRequest(options), progress })
  const durationMs = Math.round(performance.now() - startedMs)
  const { seed, budget, out, json } = options
  if (json) output.out(JSON.stringify(outcome.result))
  else print(outcome.result, options, durationMs, output)
  const replay = `${invocation()} property --seed ${seed} --budget ${budget}`
  const keepOutcome = () => {
    if (out !== undefined) writeOutcome(outcome, out, { run: { replay, baseUrl: null, durationMs } })
  }
  const ending = await keepResults(outcome.result.verdict, keepOutcome, output)
  return endWith(ending, options, output)
}

function print(results: Results, options: PropertyOptions, durationMs: number, output: Output): void {
  for (const row of casesOf(results)) for (const line of describeRow(row, options)) output.err(line)
  if (!options.quiet) {
    const families = propertyFamilies(results)
    for (const line of toTerminal([classTable(families), propertyTable(families)], colours)) output.out(line)
    const tookS = Math.round(durationMs / 1_000)
    output.out(`seed ${options.seed}, budget ${options.budget}, ${tookS} s`)
  }
  for (const missed of missedFloors(results.floors)) output.err(`below its floor: ${describeMissed(missed)}`)
}

/** Returns a counterexample with its smallest case, and where it is kept. */
function describeRow(row: CaseRow, options: PropertyOptions): readonly string[] {
  if (row.failure === null) return []
  const kept = row.status === 'fail' ? keep(row, options) : null
  return toTerminal(
    [caseSection(row, null, FAILURES_IN_TERMINAL, kept === null ? [] : [paragraph(`kept in ${kept}`)])],
    colours,
  )
}

/** Keeps the smallest case of a failure. That of an injected defect is kept only where a folder is named for it. */
function keep({ id, failure }: CaseRow, { seed, defect, failures: folder }: PropertyOptions) {
  const { counterexample, expected, actual } = failure ?? {}
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
