import { toTerminal } from '../../reporting/document/terminal.ts'
import { causesBlocks, FAILURES_IN_TERMINAL } from '../../reporting/documents/causes.ts'
import { endsOf } from '../../reporting/documents/run.ts'
import { printable } from '../../reporting/printable.ts'
import type { CaseResult } from '../../reporting/results.ts'
import { describeVerdict } from '../run/print.ts'
import { colours } from '../terminal/colours.ts'
import type { Output } from '../terminal/output.ts'
import type { Repeat } from '../terminal/progress.ts'
import { repaint, type Terminal } from '../terminal/repaint.ts'
import { describeRunning } from '../terminal/runningCases.ts'
import type { RoundView } from './rounds.ts'

/** A terminal is not drawn on more often while cases end. */
const REDRAW_MS = 100
/** While nothing ends, a terminal shows every so often what is waited for, and a log less often. */
const TICK_MS = 1_000
const LINE_EVERY_MS = 10_000
const SHOWN_PATHS = 3
const LAST_LINES = 12
const WAITING = 'waiting for a change'
const SECOND_MS = 1_000
const PASSED: ReadonlySet<CaseResult['status']> = new Set(['pass', 'observed'])

/** Shows the rounds of a watch. */
export interface WatchScreen {
  show(view: RoundView): void
  /** Something that is no part of a round. */
  note(text: string): void
  /** Nothing is left to do until something happens. */
  idle(): void
  /** The report of the round that is over was written there. */
  written(path: string): void
  /** The watch is over. @param line how it ended. */
  end(line: string): void
}

/** Describes what stands above every round. */
interface Heading {
  readonly paths: readonly string[]
  /** The cases that a baseline excuses. */
  readonly excused: ReadonlySet<string>
}

/** Returns one screen that renews itself, no longer than the terminal. */
export function terminalScreen(
  stream: Terminal,
  heading: Heading,
  nowMs: () => number,
  repeat: Repeat,
): WatchScreen {
  let drawnMs = 0
  let last: RoundView | null = null
  let stop: (() => void) | null = null
  let report: string | null = null
  const notes: string[] = []
  const draw = (view: RoundView, below: readonly string[]) => {
    const above = colours.dim(`watching ${heading.paths.join(', ')}; Enter runs all again, q ends`)
    const lines = [above, ...notes, ...describeRound(view, heading, nowMs())]
    repaint(stream, lines, below)
  }
  return {
    show: (view) => {
      if (view.state.kind === 'given-up') return
      last = view
      report = null
      if (view.state.kind === 'running') stop ??= repeat(TICK_MS, () => last !== null && draw(last, []))
      else {
        stop?.()
        stop = null
      }
      const isEarly = view.rows.length > 0 && nowMs() - drawnMs < REDRAW_MS
      if (view.state.kind === 'running' && isEarly) return
      drawnMs = nowMs()
      draw(view, [])
    },
    note: (text) => notes.push(text),
    idle: () => {
      const waiting = colours.dim(report === null ? WAITING : `${WAITING}; open ${report}`)
      if (last !== null) draw(last, [waiting])
    },
    written: (path) => {
      report = path
    },
    end: (line) => {
      stop?.()
      stream.write(`${printable(line)}\n`)
    },
  }
}

/** Returns a line for each thing that happens, where nothing can be drawn. */
export function plainScreen(
  output: Output,
  heading: Heading,
  nowMs: () => number,
  repeat: Repeat,
): WatchScreen {
  let before: RoundView | null = null
  let stop: (() => void) | null = null
  const stillRunning = () => {
    if (before === null) return
    for (const line of describeState(before, nowMs())) output.out(line)
  }
  output.out(`watching ${heading.paths.join(', ')}; Ctrl-C ends`)
  return {
    show: (view) => {
      const isNew = before?.atMs !== view.atMs || before.state.kind !== 'running'
      if (isNew) output.out(describeTrigger(view))
      const isFirstOver = view.first.tookMs !== null && (isNew || before?.first.tookMs === null)
      if (isFirstOver) for (const line of describeFirst(view)) output.out(line)
      before = view
      if (view.state.kind === 'running') {
        stop ??= repeat(LINE_EVERY_MS, stillRunning)
        return
      }
      stop?.()
      stop = null
      for (const line of [...describeState(view, nowMs()), ...describeFailures(view, heading)])
        output.out(line)
    },
    note: (text) => output.err(text),
    idle: () => output.out(WAITING),
    written: (path) => output.out(`open ${path}`),
    end: (line) => {
      stop?.()
      output.out(line)
    },
  }
}

/** Returns a round: what changed, how it stands, and what fails. */
function describeRound(view: RoundView, heading: Pick<Heading, 'excused'>, nowMs: number): readonly string[] {
  return [
    describeTrigger(view),
    ...describeFirst(view),
    ...describeState(view, nowMs),
    ...describeFailures(view, heading),
  ]
}

/** Returns what counts of the failures; until the verdict has compared them with the baseline: those of cases that it does not name. */
function describeFailures(
  { rows, state }: RoundView,
  { excused: named }: Pick<Heading, 'excused'>,
): readonly string[] {
  const compared = state.kind === 'done' ? state.result.baseline : null
  const excused = compared === null ? named : new Set(compared.excused.map((entry) => entry.case))
  const isOfTarget = ({ status, failure }: CaseResult) => status === 'fail' || failure?.blame === 'target'
  const unexcused = rows.filter((row) => !excused.has(row.id) || !isOfTarget(row))
  return toTerminal(causesBlocks(unexcused, null, FAILURES_IN_TERMINAL), colours)
}

function describeTrigger({ changed, isAgain }: RoundView): string {
  if (changed === null) return isAgain ? 'running all cases again' : 'running all cases'
  const rest = changed.length - SHOWN_PATHS
  return `changed: ${changed.slice(0, SHOWN_PATHS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Returns what became of the cases that failed before. */
function describeFirst(view: RoundView): readonly string[] {
  const { total, rows, tookMs } = view.first
  if (rows.length === 0) return []
  const passed = rows.filter(({ status }) => PASSED.has(status)).length
  const when = tookMs === null ? '' : `, ${inSeconds(view, tookMs)}`
  return [`of the cases that failed before, ${passed} of ${total} pass${when}`]
}

function inSeconds({ changed, isAgain }: RoundView, ms: number): string {
  const since = changed !== null ? 'the change' : isAgain ? 'Enter' : 'the start'
  return `${(ms / SECOND_MS).toFixed(1)} s after ${since}`
}

function describeState(view: RoundView, nowMs: number): readonly string[] {
  const { state, rows, total, running } = view
  const counts = endsOf(rows)
  switch (state.kind) {
    case 'running':
      if (total === null || (rows.length === 0 && running.size === 0)) return ['starting the service']
      return [
        `${rows.length} of ${total}${rows.length === 0 ? '' : `: ${counts}`}`,
        ...(running.size === 0 ? [] : [`running ${describeRunning(running, nowMs / SECOND_MS)}`]),
      ]
    case 'given-up':
      return ['given up: there is a newer change']
    case 'down':
      return [
        `${colours.red(state.what ?? 'the service is down:')} ${state.why}`,
        ...lastLinesOf(state.output),
      ]
    case 'done':
      return [`${describeVerdict(state.result)}, ${inSeconds(view, state.tookMs)}: ${counts}`]
  }
}

/** Returns the end of what a service that is down printed. */
function lastLinesOf(output: string): readonly string[] {
  if (output === '') return []
  const lines = output.trimEnd().split('\n')
  return lines.slice(-LAST_LINES).map((line) => `  ${line}`)
}
