import { type SummarizedRecording, summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import { toWidth, widthOf } from '../../reporting/document/fitLines.ts'
import { recordingDocument } from '../../reporting/documents/recordingDocument.ts'
import { runVerdictOf } from '../../reporting/report/recordingSummary.ts'
import { fatesOf, reorganisationsOf } from '../../reporting/timeline/fates.ts'
import { layOut } from '../../reporting/timeline/layout.ts'
import { type Ending, worstOf } from '../../runner/verdict/verdict.ts'
import { colours } from '../terminal/colours.ts'
import type { Output } from '../terminal/output.ts'
import { judgeEach, readText } from './recordings.ts'

/** The options of `plumbline show`. */
export interface ShowOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verdicts?: boolean
}

/** Prints recordings as text, each with its verdict. */
export async function showRecordings(
  paths: readonly string[],
  options: ShowOptions,
  output: Output,
): Promise<Ending> {
  const endings = await judgeEach(paths, output, (file) => showFile(file, options, output))
  return worstOf(endings)
}

async function showFile(path: string, options: ShowOptions, output: Output): Promise<Ending> {
  const shown = await summarizeRecording(readText(path))
  if (options.json) output.out(JSON.stringify(asJson(path, shown)))
  else {
    const { quiet = false, verdicts = false } = options
    const document = recordingDocument(path, shown.summary, shown.timeline, { quiet, verdicts })
    for (const line of toWidth(document, widthOf(process.stdout), colours)) output.out(line)
  }
  return runVerdictOf(shown.summary.verdict)
}

function asJson(path: string, { summary, timeline }: SummarizedRecording): unknown {
  if (timeline === null) return { path, ...summary, transactions: [], reorganisations: [], timeline }
  const layout = layOut(timeline)
  const reorganisations = reorganisationsOf(layout).map(({ row: _, ...each }) => each)
  return { path, ...summary, transactions: fatesOf(timeline, layout), reorganisations, timeline }
}
