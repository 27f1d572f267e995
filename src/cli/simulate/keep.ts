import { relative } from 'node:path'
import { writeFailure } from '../../runner/failures.ts'
import { recordRuns } from './record.ts'
import type { ShrunkRun } from './run.ts'

/** A shrunk failure, and where it was written. */
export interface KeptRun extends ShrunkRun {
  /** The kept failure, as seen from here. */
  readonly file: string
  readonly recording: string
}

/** Writes each shrunk script among the kept failures, and a recording of it for people to look into. */
export async function keepFailures(
  folder: string,
  recordings: string,
  shrunkRuns: readonly ShrunkRun[],
  onKept: (kept: KeptRun) => void,
): Promise<void> {
  for (const shrunkRun of shrunkRuns) {
    const { seed } = shrunkRun.run
    const { steps, broken } = shrunkRun.shrunk
    const file = relative('', writeFailure(folder, { ...broken, seed, case: { steps } as never }))
    await recordRuns(recordings, [{ name: broken.requirement, seed, steps, log: [] }], (recording) =>
      onKept({ ...shrunkRun, file, recording: relative('', recording) }),
    )
  }
}
