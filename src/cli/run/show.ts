import { toAnnotations } from '../../reporting/annotations.ts'
import { excusesOf } from '../../reporting/baseline.ts'
import { type CauseLimits, causesBlocks, FAILURES_IN_TERMINAL } from '../../reporting/documents/causes.ts'
import { changeBlocks } from '../../reporting/documents/change.ts'
import { asCommand } from '../../reporting/printable.ts'
import type { ReachableService } from '../../reporting/report/again.ts'
import type { ReportChange } from '../../reporting/report/model.ts'
import { type CaseResult, casesOf, type Results } from '../../reporting/results.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { HTTP_REQUESTS_MAX } from '../../targets/scope.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'
import { keepResults } from './keepResults.ts'
import { choosesInstances } from './namedTarget.ts'
import type { RunOptions } from './options.ts'
import { describePlan, describeResult, describeVerdict, describeWaits } from './print.ts'

const VERBOSE: CauseLimits = { ...FAILURES_IN_TERMINAL, inFull: Number.POSITIVE_INFINITY }
/** Most cases that are shown for each kind of change; `plumbline diff` prints all. */
const SHOWN_CHANGES = 3

/** The parts of a run that are shown in addition to its outcome. */
interface Shown {
  /** Value that `--json` prints. */
  readonly json: unknown
  /** Service to which its requests can be sent again; null: none is reachable. */
  readonly service: ReachableService | null
  readonly change: ReportChange | null
  /** A line about each counterexample that was saved. Default: none. */
  readonly found?: readonly string[]
}

/** Prints a run for a person, or as JSON. */
export async function showOutcome(
  { result }: Pick<Outcome, 'result'>,
  options: Pick<RunOptions, 'verbose' | 'annotations' | 'json' | 'quiet'> &
    Parameters<typeof choosesInstances>[0],
  { json, service, change, found = [] }: Shown,
  output: Output,
): Promise<void> {
  const limits = options.verbose ? VERBOSE : FAILURES_IN_TERMINAL
  printBlocks(causesBlocks(unexcused(result), service, limits), output.err)
  for (const line of found) output.err(line)
  if (options.annotations ?? process.env.GITHUB_ACTIONS === 'true') {
    // With --json, standard output holds nothing but JSON.
    for (const line of toAnnotations(result, change))
      (options.json ? output.err : output.out)(asCommand(line))
  }
  if (options.json) output.out(JSON.stringify(json))
  else {
    await describeResult(result, options.quiet ?? false, output)
    if (options.quiet) return
    for (const line of describeWaits(result, couldOverlap(options))) output.out(line)
    if (change !== null) printBlocks(changeBlocks(change, SHOWN_CHANGES), output.out)
  }
}

/** Returns whether a run starts one copy of a service and could start more. */
function couldOverlap(options: Parameters<typeof choosesInstances>[0]): boolean {
  const { start, sandbox, instances = 1 } = options
  return start !== undefined && sandbox === undefined && instances === 1 && !choosesInstances(options)
}

/** Writes the files of a run, then prints its verdict and the path of its report. @returns the ending of the command. */
export async function endRun(
  result: Results,
  write: () => Promise<void> | void,
  options: Pick<RunOptions, 'json' | 'quiet' | 'out'>,
  output: Output,
): Promise<Ending> {
  let isWritten = false
  const keep = async () => {
    await write()
    isWritten = true
  }
  const ending = await keepResults(result.verdict, keep, output)
  if (ending !== result.verdict) return endWith(ending, options, output)
  // A report that was not written cannot be opened.
  const more =
    options.quiet || !isWritten || options.out === undefined ? '' : `; open ${options.out}/report.html`
  return endWith(ending, options, output, `${describeVerdict(result)}${more}`)
}

function unexcused(result: Results): readonly CaseResult[] {
  const excused = excusesOf(result)
  return casesOf(result).filter(({ id }) => !excused.has(id))
}

/**
 * Prints the cases of a plan, one per line.
 *
 * @param hasTarget true if a target is named; then also prints how many cases would run, and why the others would not.
 */
export function showPlan(plan: Plan, { profile }: RunOptions, hasTarget: boolean, output: Output): void {
  for (const { planned, skipped } of plan.suites) {
    const cases = [...planned.map(({ testCase }) => testCase), ...skipped]
    for (const { id, title } of cases) output.out(`${id}  ${title}`)
  }
  if (!hasTarget) return
  // On standard error: a program that reads the list gets nothing else.
  printBlocks(describePlan(plan), output.err)
  if (profile === 'http') output.err(`no transaction is sent, and at most ${HTTP_REQUESTS_MAX} requests`)
}
