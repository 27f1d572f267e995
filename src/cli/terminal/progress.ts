import ora from 'ora'
import { countOf } from '../../reporting/plural.ts'
import { printable } from '../../reporting/printable.ts'
import type { RunProgress } from '../../runner/run/runRequest.ts'
import type { Output } from './output.ts'
import { describeRunning, nextRunning, type RunningCases } from './runningCases.ts'

interface Progress {
  running(what: readonly string[]): void
  step(what: string): void
  /** Prints something that stays, above the line that renews itself. */
  above(print: () => void): void
  end(): void
}

const SILENT: Progress = { running: () => {}, step: () => {}, above: (print) => print(), end: () => {} }

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
): RunProgress & Pick<Progress, 'above'> {
  let shown = SILENT
  return {
    start: (total) => {
      shown.end()
      if (!silent) shown = progressOf(output, total, things, stream, repeat)
    },
    running: (what) => shown.running(what),
    step: (what) => shown.step(what),
    notice: (text) => shown.above(() => output.err(text)),
    above: (print) => shown.above(print),
    end: () => shown.end(),
  }
}

function progressOf(
  output: Output,
  total: number,
  things: string,
  stream: NodeJS.WriteStream,
  repeat: Repeat,
): Progress {
  // With its keys discarded a terminal is raw, and Ctrl-C is a key like any other.
  const spinner = ora({ text: 'booting chain, venues and service', stream, discardStdin: false })
  // A terminal that does not know its width, as under some tools that make one, cannot be drawn on.
  const canRenew = spinner.isEnabled === true && stream.columns > 0
  if (!canRenew) {
    output.err(`running ${countOf(total, things)}`)
    return inLines(output, total, things, repeat)
  }
  spinner.start()
  let done = 0
  let last = ''
  let seconds = 0
  let running: RunningCases = new Map()
  const describe = () => {
    spinner.text = printable(`${done}/${total} ${describeRunning(running, seconds) || last}`)
  }
  // A simulation may keep the clock of its process from being read.
  const stop = repeat(MS_PER_S, () => {
    seconds += 1
    if (running.size > 0) describe()
  })
  return {
    running: (what) => {
      running = nextRunning(running, what, seconds)
      describe()
    },
    step: (what) => {
      done += 1
      last = what
      describe()
    },
    above: (print) => {
      spinner.clear()
      print()
      spinner.render()
    },
    end: () => {
      stop()
      spinner.stop()
    },
  }
}

function inLines(output: Output, total: number, things: string, repeat: Repeat): Progress {
  let done = 0
  let seconds = 0
  let running: RunningCases = new Map()
  // The time is counted in ticks: a simulation may keep the clock of its process from being read.
  const stop = repeat(MS_PER_S, () => {
    seconds += 1
    if (seconds % LINE_EVERY_S !== 0) return
    const now = running.size === 0 ? '' : `, running ${describeRunning(running, seconds)}`
    output.err(`${done} of ${countOf(total, things)} after ${seconds} s${now}`)
  })
  return {
    running: (what) => {
      running = nextRunning(running, what, seconds)
    },
    step: () => {
      done += 1
    },
    above: (print) => print(),
    end: stop,
  }
}
