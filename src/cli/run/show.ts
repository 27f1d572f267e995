import { toAnnotations } from '../../reporting/annotations.ts'
import { describeFailure } from '../../reporting/describeFailure.ts'
import type { About } from '../../reporting/report/about.ts'
import { type CaseRow, casesOf, type Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { Plan } from '../../runner/plan.ts'
import type { Outcome } from '../../runner/run.ts'
import { HTTP_REQUESTS_MAX } from '../../targets/means.ts'
import { colours } from '../colours.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { aboutRun } from '../report/aboutRun.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import { writeBaseline } from './baselineFile.ts'
import type { RunOptions } from './flags.ts'
import { describePlan, describeResult, describeVerdict } from './print.ts'

/** What a run is shown with. */
interface ShownRun {
  readonly options: RunOptions
  /** The command line that runs the same again. */
  readonly replay: string
  /** Where the target still listens; null: it ended with the run. */
  readonly baseUrl: string | null
  readonly durationMs: number
  /** What `--json` prints. */
  readonly json: unknown
  readonly timelines: Timeline[]
}

/** Writes the results of a run into its directory, and prints what a person needs to see. */
export function showOutcome(outcome: Outcome, shown: ShownRun, output: Output): void {
  const { options, replay, baseUrl, durationMs, json, timelines } = shown
  writeOutcome(outcome, options.out, { replay, baseUrl, durationMs }, timelines)
  print(outcome, options, json, baseUrl, output)
}

/** Writes the results, the verdicts and the report of a run into a directory. */
export function writeOutcome(
  { result, verdicts }: Outcome,
  directory: string,
  run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>,
  timelines: Timeline[] = [],
): void {
  const about = aboutRun(run)
  const files = { 'verdicts.json': verdicts, 'results.json': result, 'about.json': about }
  writeFiles(
    directory,
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`]),
    ),
  )
  writeReport(result, directory, { about, timelines })
}

function print(
  { result, baseline }: Outcome,
  options: RunOptions,
  json: unknown,
  baseUrl: string | null,
  output: Output,
): void {
  const rows = unexcused(result)
  const inFull = (row: CaseRow) => describeFailure(row, baseUrl, colours)
  for (const line of options.verbose ? rows.flatMap(inFull) : digestFailures(rows, inFull)) output.err(line)
  if (options.annotations ?? process.env.GITHUB_ACTIONS === 'true') {
    // Whoever reads JSON reads all of it.
    for (const line of toAnnotations(rows)) (options.json ? output.err : output.out)(line)
  }
  if (options.json) output.out(JSON.stringify(json))
  else describeResult(result, options.quiet ?? false, output)
  if (options.updateBaseline && baseline !== null) {
    const written = writeBaseline(baseline, options.baseline ?? '')
    if (!options.json) output.out(written)
  }
  if (!options.json && !options.quiet)
    output.out(`${describeVerdict(result)}; open ${options.out}/report.html`)
}

function unexcused(result: Results): readonly CaseRow[] {
  const excused = new Set(result.baseline?.excused)
  return casesOf(result).filter(({ id }) => !excused.has(id))
}

/** Prints the cases of a plan, one a line, for `--list`; otherwise what a run of it would do. */
export function showPlan(plan: Plan, { list, profile }: RunOptions, output: Output): void {
  if (list) {
    for (const { planned, skipped } of plan.suites) {
      const cases = [...planned.map(({ testCase }) => testCase), ...skipped]
      for (const { id, title } of cases) output.out(`${id}  ${title}`)
    }
    return
  }
  for (const line of describePlan(plan)) output.out(line)
  if (profile !== 'sandbox') output.out('no transaction is sent')
  if (profile === 'http') output.out(`at most ${HTTP_REQUESTS_MAX} requests are sent`)
}
