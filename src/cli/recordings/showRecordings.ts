import { readForeignFile } from '../../host/foreignFile.ts'
import { type SummarizedRecording, summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import { toWidth, widthOf } from '../../reporting/document/fitLines.ts'
import { recordingDocument } from '../../reporting/documents/recordingDocument.ts'
import { runVerdictOf } from '../../reporting/report/recordingSummary.ts'
import { fatesOf, reorganisationsOf } from '../../reporting/timeline/fates.ts'
import { layOut } from '../../reporting/timeline/layout.ts'
import { type Ending, worstOf } from '../../runner/verdict/verdict.ts'
import { colours } from '../terminal/colours.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { type Said, sayOfEach } from './recordings.ts'

export interface ShowOptions extends Shown {
  readonly verdicts?: boolean
}

/** Prints recordings as text, each with its verdict. */
export async function showRecordings(
  paths: readonly string[],
  { json = false, quiet = false, verdicts = false }: ShowOptions,
  output: Output,
): Promise<Ending> {
  const show = async (path: string): Promise<Said> => {
    const shown = await summarizeRecording(readForeignFile(path))
    const document = recordingDocument(path, shown.summary, shown.timeline, { quiet, verdicts })
    const text = toWidth(document, widthOf(process.stdout), colours).join('\n')
    return { ending: runVerdictOf(shown.summary.verdict), json: asJson(path, shown), text }
  }
  return worstOf(await sayOfEach(paths, { json }, output, show))
}

function asJson(path: string, { summary, timeline }: SummarizedRecording): object {
  if (timeline === null) return { path, ...summary, transactions: [], reorganisations: [], timeline }
  const layout = layOut(timeline)
  const reorganisations = reorganisationsOf(layout).map(({ row: _, ...each }) => each)
  return { path, ...summary, transactions: fatesOf(timeline, layout), reorganisations, timeline }
}
