import ora from 'ora'
import { listNames } from '../../reporting/listNames.ts'
import { countOf } from '../../reporting/plural.ts'
import { printable } from '../../reporting/printable.ts'
import type { RunProgress } from '../../runner/run/runRequest.ts'
import type { Output } from './output.ts'

/** Progress of a run. Time is counted in ticks, because a simulation may forbid reading the system clock. */
interface State {
  done: number
  last: string
  seconds: number
  /** Ids of what runs now, each with the second in which it started. */
  running: ReadonlyMap<string, number>
}

interface Line {
  /** @param isTick true if only a second has passed. */
  show(state: State, isTick: boolean): void
  /** Prints something above the line that updates itself. */
  above(print: () => void): void
  end(): void
}

const SILENT: Line = { show: () => {}, above: (print) => print(), end: () => {} }

/** Seconds between lines without a terminal: a silent CI job looks stuck. */
const LINE_EVERY_S = 10
const MS_PER_S = 1_000

/** Calls `act` periodically, until the returned function is called. */
type Repeat = (periodMs: number, act: () => void) => () => void

const repeatLive: Repeat = (periodMs, act) => {
  const timer = setInterval(act, periodMs).unref()
  return () => clearInterval(timer)
}

/**
 * Shows the progress of a run: a line that updates itself on a terminal, a line every few seconds in a pipe or in CI. The total is
 * known only once the run is planned.
 *
 * @param things the noun for what is counted, such as `cases`.
 */
export function runProgress(
  output: Output,
  silent: boolean,
  things = 'cases',
  stream: NodeJS.WriteStream = process.stderr,
  repeat: Repeat = repeatLive,
): RunProgress & Pick<Line, 'above'> {
  let line = SILENT
  let stop = () => {}
  const state: State = { done: 0, last: '', seconds: 0, running: new Map() }
  const end = () => {
    stop()
    line.end()
    line = SILENT
  }
  return {
    start: (total) => {
      end()
      if (silent) return
      line = spinnerLine(total, stream) ?? printedLines(total, things, output)
      Object.assign(state, { done: 0, last: '', seconds: 0, running: new Map() })
      stop = repeat(MS_PER_S, () => {
        state.seconds += 1
        line.show(state, true)
      })
    },
    running: (what) => {
      state.running = new Map(what.map((id) => [id, state.running.get(id) ?? state.seconds]))
      line.show(state, false)
    },
    step: (what) => {
      state.done += 1
      state.last = what
      line.show(state, false)
    },
    notice: (text) => line.above(() => output.err(text)),
    above: (print) => line.above(print),
    end,
  }
}

/** Returns a line that updates itself, or null if the stream cannot be drawn on. */
function spinnerLine(total: number, stream: NodeJS.WriteStream): Line | null {
  // Discarding input would put the terminal into raw mode, where Ctrl-C is an ordinary key.
  const spinner = ora({ text: 'booting chain, venues and service', stream, discardStdin: false })
  // A terminal of unknown width, which some tools emulate, cannot be drawn on.
  if (spinner.isEnabled !== true || !(stream.columns > 0)) return null
  spinner.start()
  return {
    show: (state, isTick) => {
      if (isTick && state.running.size === 0) return
      spinner.text = printable(`${state.done}/${total} ${describeRunning(state) || state.last}`)
    },
    above: (print) => {
      spinner.clear()
      print()
      spinner.render()
    },
    end: () => spinner.stop(),
  }
}

function printedLines(total: number, things: string, output: Output): Line {
  const count = countOf(total, things)
  output.err(`running ${count}`)
  return {
    ...SILENT,
    show: (state, isTick) => {
      if (!isTick || state.seconds % LINE_EVERY_S !== 0) return
      const now = state.running.size === 0 ? '' : `, running ${describeRunning(state)}`
      output.err(`${state.done} of ${count} after ${state.seconds} s${now}`)
    },
  }
}

/** Shorter durations are not shown. */
const LONG_S = 3

/** Returns what runs, with the longest duration if it is long: `a, b, and 3 more for 12 s`; empty if nothing runs. */
function describeRunning({ running, seconds }: State): string {
  if (running.size === 0) return ''
  const longestS = seconds - Math.min(...running.values())
  return `${listNames([...running.keys()])}${longestS < LONG_S ? '' : ` for ${longestS} s`}`
}
