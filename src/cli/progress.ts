import ora from 'ora'
import type { Output } from './output.ts'

export interface Progress {
  step(what: string): void
  end(): void
}

/** Says how far a run is: a line that renews itself on a terminal, a single line in a pipe or in CI. */
export function createProgress(output: Output, total: number, silent: boolean): Progress {
  if (silent) return { step: () => {}, end: () => {} }
  const spinner = ora({ text: 'booting chain, venues and service', stream: process.stderr })
  if (spinner.isEnabled !== true && process.stderr.isTTY !== true) {
    output.err(`running ${total} checks`)
    return { step: () => {}, end: () => {} }
  }
  spinner.start()
  let done = 0
  return {
    step: (what) => {
      done += 1
      spinner.text = `${done}/${total} ${what}`
    },
    end: () => spinner.stop(),
  }
}
