import {
  compareWithBlocks,
  type Execution,
  executePlayed,
  NOTHING,
  playRecording,
} from '../execute/executeRecording.ts'
import type { Recording } from '../format/schema.ts'

/** Executes a whole recording again. Throws the errors of `playRecording` and `executePlayed`. */
export async function executeRecording(
  recording: Pick<Recording, 'entries' | 'blobs'>,
  limitGas?: number,
): Promise<Execution> {
  const playing = await playRecording(recording, limitGas)
  return playing === null ? NOTHING : executePlayed(playing, await compareWithBlocks(playing))
}
