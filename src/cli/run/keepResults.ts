import { appendText } from '../../host/appendFile.ts'
import { type Ending, endingOfError, worstOf } from '../../runner/verdict/verdict.ts'
import { describeError, type Output } from '../terminal/output.ts'

/**
 * Writes what a run leaves, after its verdict was printed, so that a full disk costs the files alone.
 *
 * @returns how the command ends: a violation that was shown is still one, anything else is inconclusive without its files.
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
 * Appends to the summary of the CI step, where GitHub Actions named its file in `GITHUB_STEP_SUMMARY`. A file that cannot be
 * written costs a line, and not the verdict: the results hold everything.
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
