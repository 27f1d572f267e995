import { toAnnotations } from '../../reporting/annotations.ts'
import { describeFailure } from '../../reporting/describeFailure.ts'
import type { About } from '../../reporting/report/about.ts'
import { type CaseRow, casesOf, type Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { type Plan, planRun } from '../../runner/plan.ts'
import { type Outcome, runSuites } from '../../runner/run.ts'
import type { Ending } from '../../runner/verdict.ts'
import { HTTP_REQUESTS_MAX } from '../../targets/means.ts'
import { colours } from '../colours.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { aboutRun } from '../report/aboutRun.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import { writeBaseline } from './baselineFile.ts'
import type { RunOptions } from './flags.ts'
import { describePlan, describeResult, describeVerdict } from './print.ts'
import { commandLineOf, type Running, requestOf } from './request.ts'

/** What a command adds to a run. */
interface Shown {
  /** What `--json` prints. */
  readonly json: (outcome: Outcome) => unknown
  /** The timelines of the report. Default: none. */
  readonly timelines?: (outcome: Outcome) => Promise<Timeline[]>
}

/**
 * Runs what a command line describes, writes the results into its directory, and prints what a person needs to see; with
 * `--list` and `--dry-run` only the plan.
 *
 * @param named the target that is given by its name.
 */
export async function runAndShow(
  named: string | undefined,
  options: RunOptions,
  running: Running,
  output: Output,
  shown: Shown,
): Promise<Ending> {
  const startedMs = performance.now()
  const request = await requestOf(named, options, running, output)
  if (options.list || options.dryRun) {
    const plan = planRun(request)
    if (options.list) showCases(plan, output)
    else showPlan(plan, options, output)
    return 'conforms'
  }
  const outcome = await runSuites(request)
  const timelines = await shown.timelines?.(outcome)
  // What was started by the run is gone with it.
  const attached = typeof request.target === 'object' && 'url' in request.target
  const baseUrl = attached ? outcome.baseUrl : null
  const replay = commandLineOf(request, options, running)
  const durationMs = Math.round(performance.now() - startedMs)
  writeOutcome(outcome, options.out, { replay, baseUrl, durationMs }, timelines)
  print(outcome, options, shown.json(outcome), baseUrl, output)
  return outcome.result.verdict
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

/** Prints the cases of a plan, one a line. */
function showCases(plan: Plan, output: Output): void {
  for (const { planned, skipped } of plan.suites) {
    const cases = [...planned.map(({ testCase }) => testCase), ...skipped]
    for (const { id, title } of cases) output.out(`${id}  ${title}`)
  }
}

/** Prints what a run would do. */
function showPlan(plan: Plan, { profile }: RunOptions, output: Output): void {
  for (const line of describePlan(plan)) output.out(line)
  if (profile !== 'sandbox') output.out('no transaction is sent')
  if (profile === 'http') output.out(`at most ${HTTP_REQUESTS_MAX} requests are sent`)
}
