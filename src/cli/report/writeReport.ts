import { writeTogether } from '../../host/writeWhole.ts'
import { runComment, runSummary } from '../../reporting/documents/run.ts'
import { renderReport } from '../../reporting/html/render.ts'
import { toJunit } from '../../reporting/junit.ts'
import type { About } from '../../reporting/report/about.ts'
import { type Extras, reportOf } from '../../reporting/report/fromResults.ts'
import type { Report } from '../../reporting/report/model.ts'
import type { Results } from '../../reporting/results.ts'
import type { Output } from '../terminal/output.ts'

/** The parts of a report in addition to the results. */
export type ReportParts = Extras & { readonly about?: About | null }

/** Returns the report of a run. */
export function reportFor(run: Results, { about = null, ...extras }: ReportParts = {}): Report {
  if (about === null) return reportOf(run, extras)
  const { schema: _, ...circumstances } = about
  return reportOf(run, { ...circumstances, ...extras })
}

/**
 * Renders a run into its directory: report.html, summary.md, comment.md and junit.xml.
 */
export async function writeReport(
  run: Results,
  directory: string,
  parts: ReportParts,
  output: Pick<Output, 'err'>,
): Promise<Report> {
  const report = reportFor(run, parts)
  await writeTogether(directory, reportFiles(run, report), {}, output.err)
  return report
}

/** Returns the files of a report, by name. */
export function reportFiles(run: Results, report: Report): Readonly<Record<string, string>> {
  return {
    'report.html': renderReport(report),
    'summary.md': runSummary(report),
    'comment.md': runComment(report),
    'junit.xml': toJunit(run),
  }
}
