import { guardEnding } from '../../runner/run/guardEnding.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { type RunFiles, writeRunNow } from '../report/writeRun.ts'
import { describeError, type Output } from '../terminal/output.ts'
import type { RunOptions } from './options.ts'
import { describeVerdict } from './print.ts'

const ADVICE = '\n  This is a bug in Plumbline. Please report it.'

/**
 * Prints and writes the results of a run up to the case that blocked this process.
 *
 * @returns the ending of this process.
 */
export function endStalledRun(
  outcome: Outcome,
  { out }: Pick<RunOptions, 'out'>,
  run: RunFiles['run'],
  output: Output,
): Ending {
  output.err(`error: a case does not end, and was interrupted with the run${ADVICE}`)
  let more = ''
  try {
    if (out !== undefined) {
      writeRunNow(outcome, out, run)
      more = `; open ${out}/report.html`
    }
  } catch (error) {
    output.err(describeError(error))
  }
  output.out(`${describeVerdict(outcome.result)}${more}`)
  // The cases that were judged may be enough to conform, but they are not all.
  return outcome.result.verdict === 'conforms' ? 'inconclusive' : outcome.result.verdict
}

/** Ends the process if the target sent data that takes too long to show or write. @returns a function that ends the guard. */
export function guardShowing(output: Output): () => void {
  return guardEnding(() => {
    output.err(`error: the results of the run cannot be shown or written in time${ADVICE}`)
    return 'inconclusive'
  })
}
