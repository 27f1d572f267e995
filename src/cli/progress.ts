import ora from 'ora'
import type { RunProgress } from '../runner/run.ts'
import type { Output } from './output.ts'

export interface Progress {
  step(what: string): void
  /** Prints something that stays, above the line that renews itself. */
  above(print: () => void): void
  end(): void
}

const SILENT: Progress = { step: () => {}, above: (print) => print(), end: () => {} }

/** The progress of a run whose number of cases is known only once it is planned. */
export function runProgress(
  output: Output,
  silent: boolean,
  things = 'cases',
): RunProgress & Pick<Progress, 'above'> {
  let shown = SILENT
  return {
    start: (total) => {
      shown = createProgress(output, total, silent, things)
    },
    step: (what) => shown.step(what),
    above: (print) => shown.above(print),
    end: () => shown.end(),
  }
}

/**
 * Says how far a run is: a line that renews itself on a terminal, a single line in a pipe or in CI.
 *
 * @param things what there are `total` of
 */
export function createProgress(
  output: Output,
  total: number,
  silent: boolean,
  things = 'cases',
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  if (silent) return SILENT
  const spinner = ora({ text: 'booting chain, venues and service', stream })
  // A terminal that does not know its width, as under some tools that make one, cannot be drawn on.
  const canRenew = spinner.isEnabled === true && stream.columns > 0
  if (!canRenew) {
    output.err(`running ${total} ${things}`)
    return SILENT
  }
  spinner.start()
  let done = 0
  return {
    step: (what) => {
      done += 1
      spinner.text = `${done}/${total} ${what}`
    },
    above: (print) => {
      spinner.clear()
      print()
      spinner.render()
    },
    end: () => spinner.stop(),
  }
}
