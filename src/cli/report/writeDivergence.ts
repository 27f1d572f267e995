import { writeWhole } from '../../host/writeWhole.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { compareRecordings } from '../../recordings/timeline/compareRecordings.ts'
import { timelineOf } from '../../recordings/timeline/fromRecording.ts'
import { renderDivergencePage } from '../../reporting/html/renderDivergencePage.ts'
import type { RecordingChange } from '../../reporting/report/recordingChange.ts'

interface Side {
  readonly name: string
  readonly recording: Recording
}

/**
 * Compares two recordings, and draws both from the first difference on.
 *
 * @param path where the page goes; null: nothing is drawn.
 */
export function writeDivergence(before: Side, after: Side, path: string | null): RecordingChange {
  const change = compareRecordings(before, after)
  if (path !== null) {
    const page = renderDivergencePage(change, timelineOf(before.recording), timelineOf(after.recording))
    writeWhole(path, page)
  }
  return change
}
