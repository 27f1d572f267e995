import type { About } from '../../reporting/report/about.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import type { Outcome } from './results.ts'

/**
 * Writes what a run found, and its report.
 *
 * @param redact Takes every key out of a text.
 */
export function writeOutcome(
  outcome: Outcome,
  directory: string,
  about: About,
  redact: (text: string) => string,
): void {
  const clean = <T>(value: T): T => JSON.parse(redact(JSON.stringify(value)))
  const [results, verdicts] = [clean(outcome.results), clean(outcome.verdicts)]
  const files = { 'verdicts.json': verdicts, 'results.json': results, 'about.json': about }
  writeFiles(
    directory,
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`]),
    ),
  )
  writeReport(results, directory, { about, verdicts })
}
