import { join } from 'node:path'
import { writeTogether } from '../../host/writeWhole.ts'
import { summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import { type DrawnRecording, renderRecordingPage } from '../../reporting/html/renderRecordingPage.ts'
import { RECORDING_HEADLINES, runVerdictOf } from '../../reporting/report/recordingSummary.ts'
import { type Ending, worstOf } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { readText, recordingFiles } from '../recordings.ts'
import { describedTimeline } from './drawScenarios.ts'

/** Where the page goes without `--out`. */
const OUT = 'reports/recording'

interface RecordingReportOptions {
  readonly out?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/**
 * Writes a page about recordings without their run, headed by their own verdict.
 *
 * @returns how `plumbline verify` would end on them.
 * @throws {UsageError} a file is missing.
 * @throws {RecordingFormatError} a file is no recording.
 */
export async function reportRecordings(
  paths: readonly string[],
  { out = OUT, json, quiet }: RecordingReportOptions,
  output: Output,
): Promise<Ending> {
  const drawn: DrawnRecording[] = []
  for (const path of recordingFiles(paths)) {
    const { recording, summary, timeline } = await summarizeRecording(readText(path))
    drawn.push({ path, summary, timeline: timeline && describedTimeline(timeline, recording) })
  }
  if (json) output.out(JSON.stringify(drawn))
  else {
    writeTogether(out, { 'report.html': renderRecordingPage(drawn) })
    const lines = drawn.map(({ path, summary }) => `${path}: ${RECORDING_HEADLINES[summary.verdict]}`)
    if (!quiet) for (const line of [...lines, `report in ${join(out, 'report.html')}`]) output.out(line)
  }
  return worstOf(drawn.map(({ summary }) => runVerdictOf(summary.verdict)))
}
