import {
  compareWithBlocks,
  type Execution,
  executePlayed,
  NOTHING,
  playRecording,
} from '../execute/executeRecording.ts'
import type { Recording } from '../format/schema.ts'

/** Executes a recording again, all of it. Throws what `playRecording` and `executePlayed` throw. */
export async function executeRecording(
  recording: Pick<Recording, 'entries' | 'blobs'>,
  limitGas?: number,
): Promise<Execution> {
  const playing = await playRecording(recording, limitGas)
  return playing === null ? NOTHING : executePlayed(playing, await compareWithBlocks(playing))
}
