import { appendFileSync } from 'node:fs'
import type { Output } from '../terminal/output.ts'

/**
 * Appends to the summary of the CI step, where GitHub Actions named its file in `GITHUB_STEP_SUMMARY`. A file that cannot be
 * written costs a line, and not the verdict: the results hold everything.
 */
export function appendStepSummary(markdown: string, output: Output): void {
  const path = process.env.GITHUB_STEP_SUMMARY
  if (!path) return
  try {
    appendFileSync(path, `${markdown}\n`)
  } catch (error) {
    output.err(
      `the step summary ${path} cannot be written: ${(error as NodeJS.ErrnoException).message}; comment.md holds the same`,
    )
  }
}
