import { stripVTControlCharacters } from 'node:util'
import { describeFailure } from '../../reporting/describeFailure.ts'
import { printable } from '../../reporting/printable.ts'
import type { CaseRow } from '../../reporting/results.ts'
import { colours } from '../colours.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { describeCounts, describeVerdict } from '../run/print.ts'
import type { RoundView } from './rounds.ts'

const CLEAR = '\x1b[2J\x1b[3J\x1b[H'
/** A terminal is not drawn on more often while cases end. */
const REDRAW_MS = 100
const SHOWN_PATHS = 3
const LAST_LINES = 12
const SECOND_MS = 1_000
const PASSED: ReadonlySet<CaseRow['status']> = new Set(['pass', 'observed'])

/** Shows the rounds of a watch. */
export interface WatchScreen {
  show(view: RoundView): void
  /** Something that is no part of a round. */
  note(text: string): void
  /** Nothing is left to do until something happens. */
  idle(): void
}

/** What stands above every round. */
interface Heading {
  readonly paths: readonly string[]
  /** The cases that a baseline excuses. */
  readonly excused: ReadonlySet<string>
}

/** One screen that renews itself, no longer than the terminal. */
export function terminalScreen(
  stream: Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>,
  heading: Heading,
  nowMs: () => number,
): WatchScreen {
  let drawnMs = 0
  const notes: string[] = []
  return {
    show: (view) => {
      if (view.state.kind === 'given-up') return
      const isEarly = view.rows.length > 0 && nowMs() - drawnMs < REDRAW_MS
      if (view.state.kind === 'running' && isEarly) return
      drawnMs = nowMs()
      const lines = [
        `${colours.dim(`watching ${heading.paths.join(', ')}; Enter runs all again, q ends`)}`,
        ...notes,
        ...describeRound(view, heading),
      ]
      stream.write(`${CLEAR}${fitting(lines.map(printable), stream).join('\n')}\n`)
    },
    note: (text) => notes.push(text),
    idle: () => {},
  }
}

/** As many of the first lines as a terminal shows at once. */
function fitting(
  lines: readonly string[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  // A tab and a wide character may take more: the last line is left free.
  let room = rows - 1
  const shown: string[] = []
  for (const line of lines.flatMap((text) => text.split('\n'))) {
    room -= Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns))
    if (room < 0) break
    shown.push(line)
  }
  return shown
}

/** A line for each thing that happens, where nothing can be drawn. */
export function plainScreen(output: Output, heading: Heading): WatchScreen {
  let before: RoundView | null = null
  output.out(`watching ${heading.paths.join(', ')}; Ctrl-C ends`)
  return {
    show: (view) => {
      const isNew = before?.atMs !== view.atMs || before.state.kind !== 'running'
      if (isNew) output.out(describeTrigger(view))
      const isFirstOver = view.first.tookMs !== null && (isNew || before?.first.tookMs === null)
      if (isFirstOver) for (const line of describeFirst(view)) output.out(line)
      before = view
      if (view.state.kind === 'running') return
      for (const line of [...describeState(view), ...describeFailures(view, heading)]) output.out(line)
    },
    note: (text) => output.err(text),
    idle: () => output.out('waiting for a change'),
  }
}

/** A round: what changed, how it stands, and what fails. */
function describeRound(view: RoundView, heading: Pick<Heading, 'excused'>): readonly string[] {
  return [
    describeTrigger(view),
    ...describeFirst(view),
    ...describeState(view),
    ...describeFailures(view, heading),
  ]
}

function describeFailures({ rows }: RoundView, { excused }: Pick<Heading, 'excused'>): readonly string[] {
  const unexcused = rows.filter(({ id, status }) => status !== 'fail' || !excused.has(id))
  return digestFailures(unexcused, (row) => describeFailure(row, null, colours))
}

function describeTrigger({ changed }: RoundView): string {
  if (changed === null) return 'running all cases'
  const rest = changed.length - SHOWN_PATHS
  return `changed: ${changed.slice(0, SHOWN_PATHS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** What became of the cases that failed before. */
function describeFirst(view: RoundView): readonly string[] {
  const { total, rows, tookMs } = view.first
  if (rows.length === 0) return []
  const passed = rows.filter(({ status }) => PASSED.has(status)).length
  const when = tookMs === null ? '' : `, ${inSeconds(view, tookMs)}`
  return [`of the cases that failed before, ${passed} of ${total} pass${when}`]
}

function inSeconds({ changed }: RoundView, ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s after ${changed === null ? 'the start' : 'the change'}`
}

function describeState(view: RoundView): readonly string[] {
  const { state, rows, total } = view
  const counts = describeCounts(rows)
  switch (state.kind) {
    case 'running':
      if (total === null || rows.length === 0) return ['starting the service']
      return [`${rows.length} of ${total}: ${counts}`]
    case 'given-up':
      return ['given up: there is a newer change']
    case 'down':
      return [`${colours.red('the service is down:')} ${state.why}`, ...lastLinesOf(state.output)]
    case 'done':
      return [`${describeVerdict(state.result)}, ${inSeconds(view, state.tookMs)}: ${counts}`]
  }
}

/** The end of what a service that is down printed. */
function lastLinesOf(output: string): readonly string[] {
  if (output === '') return []
  const lines = output.trimEnd().split('\n')
  return lines.slice(-LAST_LINES).map((line) => `  ${line}`)
}
