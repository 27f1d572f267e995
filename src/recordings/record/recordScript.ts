import type { ServiceSeams } from '../../service/testing.ts'
import type { World } from '../../simulation/world.ts'
import type { Draft } from '../format/drafts.ts'
import { RecordingLeakError } from '../format/errors.ts'
import { renderRecording } from '../format/file.ts'
import { type Entry, ordered, RECORDING_SCHEMA, type Recording } from '../format/schema.ts'
import { sealAll } from '../format/seal.ts'
import { judgeRecording } from '../verify/judgeRecording.ts'
import { describePrograms } from './environment.ts'
import { type RecordedRun, type RecordedScript, recordRun } from './recordRun.ts'

/**
 * Resets the world under the script's seed, runs the script and records everything that happens, with what the judges
 * say of it. Equal scripts give equal recordings, to the byte, as long as the same programs run.
 *
 * @param seams what stands in for parts of the reference service. Default: what stood there before.
 * @throws {RecordingLeakError} a secret would be written.
 */
export async function recordScript(
  world: World,
  script: RecordedScript,
  seams?: ServiceSeams,
): Promise<Recording> {
  const recorded = await recordRun(world, script, seams)
  const { entries, blobs, run } = recorded
  const recording = seal([...entries, ...judgeRecording(entries, run), describePrograms()], blobs)
  demandNoSecret(recording, recorded)
  return recording
}

/** Numbers the entries and seals them. */
export function seal(drafts: readonly Draft[], blobs: Recording['blobs']): Recording {
  const entries = sealAll(
    RECORDING_SCHEMA,
    drafts.map((draft, n) => ordered({ ...draft, n } as Entry)),
  )
  return {
    schema: RECORDING_SCHEMA,
    entries: entries as Recording['entries'],
    blobs,
    trailer: { entries: entries.length, root: entries.at(-1)?.hash ?? '' },
  }
}

/** @throws {RecordingLeakError} */
function demandNoSecret(recording: Recording, { secrets }: RecordedRun): void {
  const text = renderRecording(recording)
  if (secrets.some((secret) => text.includes(secret))) throw new RecordingLeakError()
}
