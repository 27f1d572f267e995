import ora from 'ora'
import { listNames } from '../../reporting/listNames.ts'
import { countOf } from '../../reporting/plural.ts'
import { printable } from '../../reporting/printable.ts'
import type { RunProgress } from '../../runner/run/runRequest.ts'
import type { Output } from './output.ts'

/** How far a run is. The time is counted in ticks: a simulation may keep the clock of its process from being read. */
interface State {
  done: number
  last: string
  seconds: number
  /** What runs now, each with the second in which it began. */
  running: ReadonlyMap<string, number>
}

/** Shows how far a run is. */
interface Line {
  /** @param isTick whether nothing happened but that a second is over. */
  show(state: State, isTick: boolean): void
  /** Prints something that stays, above the line that renews itself. */
  above(print: () => void): void
  end(): void
}

const SILENT: Line = { show: () => {}, above: (print) => print(), end: () => {} }

/** Seconds between lines where there is no terminal: a CI job that prints nothing for long looks dead. */
const LINE_EVERY_S = 10
const MS_PER_S = 1_000

/** Calls something again and again until it is stopped. */
type Repeat = (periodMs: number, act: () => void) => () => void

const repeatLive: Repeat = (periodMs, act) => {
  const timer = setInterval(act, periodMs).unref()
  return () => clearInterval(timer)
}

/**
 * Shows how far a run is: a line that renews itself on a terminal, a line now and then in a pipe or in CI. The number of things
 * is known only once the run is planned.
 *
 * @param things what is counted, such as `cases`.
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

/** Returns a line that renews itself; null where nothing can be drawn. */
function spinnerLine(total: number, stream: NodeJS.WriteStream): Line | null {
  // With its keys discarded a terminal is raw, and Ctrl-C is a key like any other.
  const spinner = ora({ text: 'booting chain, venues and service', stream, discardStdin: false })
  // A terminal that does not know its width, as under some tools that make one, cannot be drawn on.
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

/** What runs for less is not timed. */
const LONG_S = 3

/** Returns what runs, and for how long if it is long: `a, b, and 3 more for 12 s`; empty where nothing does. */
function describeRunning({ running, seconds }: State): string {
  if (running.size === 0) return ''
  const longestS = seconds - Math.min(...running.values())
  return `${listNames([...running.keys()])}${longestS < LONG_S ? '' : ` for ${longestS} s`}`
}
