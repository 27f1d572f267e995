import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../host/writeWhole.ts'
import { renderReport } from '../../reporting/html/render.ts'
import { toJunit } from '../../reporting/junit.ts'
import { toMarkdown } from '../../reporting/markdown.ts'
import type { About } from '../../reporting/report/about.ts'
import { type Extras, reportOf } from '../../reporting/report/fromResults.ts'
import type { Report } from '../../reporting/report/model.ts'
import type { Results } from '../../reporting/results.ts'

/** What a report is made from, in addition to the results. */
export type ReportParts = Extras & { readonly about?: About | null }

/** The report of a run, with how it went. */
export function reportFor(run: Results, { about = null, ...extras }: ReportParts = {}): Report {
  if (about === null) return reportOf(run, extras)
  const { replay, baseUrl, durationMs, versions } = about
  return reportOf(run, { replay, baseUrl, durationMs, versions, ...extras })
}

/**
 * Renders a run into its directory: report.html, summary.md and junit.xml.
 *
 * @returns what was rendered.
 */
export function writeReport(run: Results, directory: string, parts: ReportParts = {}): Report {
  const report = reportFor(run, parts)
  writeFiles(directory, {
    'report.html': renderReport(report),
    'summary.md': toMarkdown(report),
    'junit.xml': toJunit(run),
  })
  return report
}

/** Writes files into a directory, each whole. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(directory, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeWhole(join(directory, name), text)
}
