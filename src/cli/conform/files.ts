import type { About } from '../../reporting/report/about.ts'
import type { Results } from '../../reporting/results.ts'
import { verdictsOf } from '../../runner/result.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'

/**
 * Writes what a run found, and its report.
 *
 * @param redact Takes every key out of a text.
 */
export function writeOutcome(
  result: Results,
  directory: string,
  about: About,
  redact: (text: string) => string,
): void {
  const clean = <T>(value: T): T => JSON.parse(redact(JSON.stringify(value)))
  const [results, verdicts] = [clean(result), clean(verdictsOf(result))]
  const files = { 'verdicts.json': verdicts, 'results.json': results, 'about.json': about }
  writeFiles(
    directory,
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content, null, 2)}\n`]),
    ),
  )
  writeReport(results, directory, { about })
}
