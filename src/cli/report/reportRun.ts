import { join } from 'node:path'
import { verdictInWords } from '../../reporting/baselineText.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { endAsWorst, RECORDINGS } from '../recordings/recordings.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { drawKept, drawRecordings } from './drawScenarios.ts'
import { readRun } from './readRun.ts'
import { reportRecordings } from './reportRecordings.ts'
import { reportFor, writeReport } from './writeReport.ts'

export interface ReportOptions extends Shown {
  readonly against?: string
  readonly recording?: string[]
  readonly out?: string
}

/** Renders a run, or only recordings. */
export async function reportRun(
  directory: string | undefined,
  options: ReportOptions,
  output: Output,
): Promise<Ending> {
  if (directory === undefined && options.recording !== undefined) {
    return endAsWorst(await reportRecordings(options.recording, options, output), options, output)
  }
  const run = readRun(directory ?? 'reports/latest')
  const earlier = options.against === undefined ? null : readRun(options.against)
  const parts = {
    about: run.about,
    change: earlier === null ? null : compareRuns(earlier.results, run.results, options.against ?? ''),
    timelines: [
      ...drawKept(join(run.directory, RECORDINGS), run.results),
      ...drawRecordings(options.recording ?? []),
    ],
  }
  const out = options.out ?? run.directory
  const report = options.json
    ? reportFor(run.results, parts)
    : await writeReport(run.results, out, parts, output)
  if (options.json) output.out(JSON.stringify(report))
  const verdict = verdictInWords(report)
  const line = options.quiet ? verdict : `${report.target}: ${verdict}; report in ${out}/report.html`
  return endWith(report.verdict, options, output, line)
}
