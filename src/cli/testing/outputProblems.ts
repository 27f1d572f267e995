import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { casesOf, resultsSchema } from '../../reporting/results.ts'

/** Limit on the total size of the outputs of a run, whatever the target sends. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
/** The same including its log and its recordings. */
const FOLDER_BYTES_MAX = 512 * 1024 * 1024
const FILES = [
  'results.json',
  'verdicts.json',
  'about.json',
  'report.html',
  'summary.md',
  'comment.md',
  'junit.xml',
] as const
/** A line of a stack, which shows an unexpected error. */
const STACK = /\n\s+at .+:\d+:\d+/

/**
 * Returns a line for each problem in the output of a run against a misbehaving target: an exit code other than 1 and 3, a file that
 * is missing, cut off or far too large, or an unexpected error.
 *
 * @param printed the whole output of the run.
 */
export function outputProblems(
  directory: string,
  exitCode: number | null,
  printed: string,
): readonly string[] {
  const problems: string[] = []
  if (exitCode !== 1 && exitCode !== 3) problems.push(`exit code ${exitCode}`)
  if (STACK.test(printed) || printed.includes('unexpected error')) problems.push('a stack was printed')
  try {
    const bytes = FILES.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
    if (bytes > OUTPUT_BYTES_MAX) problems.push(`the outputs have ${bytes} bytes`)
    const all = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    const allBytes = all.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
    if (allBytes > FOLDER_BYTES_MAX) problems.push(`with log and recordings they have ${allBytes} bytes`)
    const results = resultsSchema.parse(JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8')))
    if (!readFileSync(join(directory, 'report.html'), 'utf8').trimEnd().endsWith('</html>'))
      problems.push('report.html is not whole')
    if (exitCode === 1 && results.verdict !== 'does-not-conform')
      problems.push(`the verdict is ${results.verdict}`)
    for (const { id, failure } of casesOf(results)) {
      if (failure === null) continue
      if (STACK.test(failure.message))
        problems.push(`${id} ends with a stack: ${failure.message.slice(0, 500)}`)
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  }
  return problems
}
