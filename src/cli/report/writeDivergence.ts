import { writeWhole } from '../../host/writeWhole.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { compareRecordings } from '../../recordings/timeline/compareRecordings.ts'
import { timelineOf } from '../../recordings/timeline/fromRecording.ts'
import { type DrawnSide, renderDivergencePage } from '../../reporting/html/renderDivergencePage.ts'
import type { RecordingChange } from '../../reporting/report/recordingChange.ts'

interface Side extends Pick<DrawnSide, 'label' | 'file'> {
  readonly recording: Recording
}

/**
 * Compares two recordings, and draws both from the first difference on.
 *
 * @param path the path of the page; null: draws nothing.
 */
export function writeDivergence(before: Side, after: Side, path: string | null): RecordingChange {
  const named = ({ label, file, recording }: Side) => ({ name: file ?? label, recording })
  const change = compareRecordings(named(before), named(after))
  if (path !== null) writeWhole(path, renderDivergencePage(change, compared(before), compared(after)))
  return change
}

function compared({ label, file, recording }: Side): DrawnSide {
  const { entries, trailer } = recording
  const timeline = timelineOf(recording)
  return { label, file, scenario: timeline.title, root: trailer.root, entries: entries.length, timeline }
}
