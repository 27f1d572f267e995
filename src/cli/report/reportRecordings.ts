import { join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { writeTogether } from '../../host/writeWhole.ts'
import { licencesOfVerifier, verifierForPages } from '../../recordings/browser/bundle.ts'
import { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import { summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import {
  type DrawnRecording,
  renderRecordingPage,
  type UnreadRecording,
} from '../../reporting/html/renderRecordingPage.ts'
import { RECORDING_HEADLINES, runVerdictOf } from '../../reporting/report/recordingSummary.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { judgeEach } from '../recordings/recordings.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { describedTimeline } from './drawScenarios.ts'

/** Directory of the page if `--out` is not given. */
const OUT = 'reports/recording'

interface RecordingReportOptions extends Shown {
  readonly out?: string
}

/**
 * Writes a page about recordings without their run, headed by their own verdict. The page names files that cannot be read and
 * draws the others; if none can be read, no page is written.
 *
 * @returns the ending that `plumbline verify` would give each of them.
 */
export async function reportRecordings(
  paths: readonly string[],
  { out = OUT, json, quiet }: RecordingReportOptions,
  output: Output,
): Promise<readonly Ending[]> {
  const drawn: DrawnRecording[] = []
  const texts: string[] = []
  const unread: UnreadRecording[] = []
  const replay = new EvmReplay(loadSeams)
  const endings = await judgeEach(
    paths,
    output,
    async (path) => {
      const text = readForeignFile(path)
      const { recording, summary, timeline } = await summarizeRecording(text, { replay: replay.prove })
      texts.push(text)
      drawn.push({ path, summary, timeline: timeline && describedTimeline(timeline, recording) })
      return runVerdictOf(summary.verdict)
    },
    (path, refused) => unread.push({ path, refused }),
  )
  await replay.stop()
  if (json) output.out(JSON.stringify([...drawn, ...unread]))
  else if (drawn.length > 0) {
    const selfCheck = { verifier: verifierForPages(), licences: licencesOfVerifier(), recordings: texts }
    const page = renderRecordingPage(drawn, unread, selfCheck)
    await writeTogether(out, { 'report.html': page }, {}, output.err)
    const lines = drawn.map(({ path, summary }) => `${path}: ${RECORDING_HEADLINES[summary.verdict]}`)
    if (!quiet) for (const line of [...lines, `report in ${join(out, 'report.html')}`]) output.out(line)
  }
  return endings
}
