import { guardEnding } from '../../runner/run/guardEnding.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { type RunFiles, writeRunNow } from '../report/writeRun.ts'
import { describeError, type Output } from '../terminal/output.ts'
import type { RunOptions } from './options.ts'
import { describeVerdict } from './print.ts'

const ADVICE = '\n  This is a bug in Plumbline. Please report it.'

/**
 * Says and writes what a run came to until a case kept this process from everything else.
 *
 * @param run how it went so far.
 * @returns how this process ends.
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
  // What was judged until then may be enough to conform, and is not all.
  return outcome.result.verdict === 'conforms' ? 'inconclusive' : outcome.result.verdict
}

/** Watches that a run can be shown and written, whatever the target sent. @returns ends the watch. */
export function guardShowing(output: Output): () => void {
  return guardEnding(() => {
    output.err(`error: what the run came to cannot be shown or written in time${ADVICE}`)
    return 'inconclusive'
  })
}
