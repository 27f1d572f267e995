import { toTerminal } from '../../reporting/document/terminal.ts'
import { causesBlocks, FAILURES_IN_TERMINAL } from '../../reporting/documents/causes.ts'
import { endsOf } from '../../reporting/documents/run.ts'
import { listNames } from '../../reporting/listNames.ts'
import type { CaseResult, Results } from '../../reporting/results.ts'
import { describeVerdict } from '../run/print.ts'
import { colours } from '../terminal/colours.ts'
import type { Trigger } from './triggers.ts'

const SHOWN_PATHS = 3
const LAST_LINES = 12
const SECOND_MS = 1_000
const PASSED: ReadonlySet<CaseResult['status']> = new Set(['pass', 'observed'])

/** The reason why nothing can be run, such as a service that is down, with the output of the service. */
export interface Gone {
  /** Start of the line about it. Default: the service is down. */
  readonly what?: string
  readonly why: string
  readonly output: string
}

export type RoundEnd =
  | { readonly kind: 'done'; readonly result: Results; readonly tookMs: number }
  | ({ readonly kind: 'down' } & Gone)
  | { readonly kind: 'given-up' }

/** Describes in a line why a round starts. */
export function describeTrigger({ event, changed }: Trigger): string {
  if (event !== 'the change') return event === 'Enter' ? 'running all cases again' : 'running all cases'
  const rest = changed.length - SHOWN_PATHS
  return `changed: ${changed.slice(0, SHOWN_PATHS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Describes the results of the cases that had failed before, once all of them have ended. */
export function describeFirst(rows: readonly CaseResult[], trigger: Trigger, tookMs: number): string {
  const passed = rows.filter(({ status }) => PASSED.has(status)).map(({ id }) => id)
  const which = passed.length === 0 ? '' : `: ${listNames(passed)}`
  return `of the cases that failed before, ${passed.length} of ${rows.length} pass, ${since(trigger, tookMs)}${which}`
}

/**
 * Describes how a round ended: its failures, then the verdict.
 *
 * @param rows the cases that ended.
 * @param named ids of the cases in the baseline; they are excused if the round has no verdict.
 */
export function describeEnd(
  end: RoundEnd,
  trigger: Trigger,
  rows: readonly CaseResult[],
  named: ReadonlySet<string>,
): readonly string[] {
  if (end.kind === 'given-up') return ['given up: there is a newer change']
  const compared = end.kind === 'done' ? end.result.baseline : null
  const excused = compared === null ? named : new Set(compared.excused.map((entry) => entry.case))
  const isOfTarget = ({ status, failure }: CaseResult) => status === 'fail' || failure?.blame === 'target'
  const unexcused = rows.filter((row) => !excused.has(row.id) || !isOfTarget(row))
  return [
    ...toTerminal(causesBlocks(unexcused, null, FAILURES_IN_TERMINAL), colours),
    ...(end.kind === 'done'
      ? [`${describeVerdict(end.result)}, ${since(trigger, end.tookMs)}: ${endsOf(rows)}`]
      : [`${colours.red(end.what ?? 'the service is down:')} ${end.why}`, ...lastLinesOf(end.output)]),
  ]
}

function since({ event }: Trigger, ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s after ${event}`
}

/** Returns the last lines of the output of a service that is down. */
function lastLinesOf(output: string): readonly string[] {
  if (output === '') return []
  const lines = output.trimEnd().split('\n')
  return lines.slice(-LAST_LINES).map((line) => `  ${line}`)
}
