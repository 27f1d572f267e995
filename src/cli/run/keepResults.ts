import { appendText } from '../../host/appendFile.ts'
import { type Ending, endingOfError, worstOf } from '../../runner/verdict/verdict.ts'
import { describeError, type Output } from '../terminal/output.ts'

/**
 * Writes the files of a run after its verdict was printed, so that a full disk costs only the files.
 *
 * @returns the ending of the command. If writing fails, a violation stays a violation, and anything else becomes inconclusive.
 */
export async function keepResults(
  ending: Ending,
  write: () => Promise<void> | void,
  output: Output,
): Promise<Ending> {
  try {
    await write()
    return ending
  } catch (error) {
    output.err(describeError(error))
    return worstOf([ending, endingOfError(error)])
  }
}

/**
 * Appends to the summary of the CI step, if GitHub Actions named its file in `GITHUB_STEP_SUMMARY`. A failure to write it is
 * only reported: comment.md holds the same text.
 */
export function appendStepSummary(markdown: string, output: Output): void {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (!path) return
  try {
    appendText(path, `${markdown}\n`)
  } catch (error) {
    output.err(
      `the step summary ${path} cannot be written: ${(error as NodeJS.ErrnoException).message}; comment.md holds the same`,
    )
  }
}
