import { relative } from 'node:path'
import { type KeptFailure, writeFailure } from '../families/failures.ts'
import type { ShrunkScript } from '../families/runScript.ts'
import { type BrokenService, type RunToRecord, recordRuns } from './record.ts'
import type { ShrunkRun } from './simulations.ts'

/** A shrunk failure, with the files that were written. */
export interface KeptRun extends ShrunkRun {
  /** Path of the kept failure, relative to the current directory. */
  readonly file: string
  readonly recording: string
}

/** Writes each shrunk script as a kept failure, and a recording of it for inspection. */
export async function keepFailures(
  { folder, recordings }: { readonly folder: string; readonly recordings: string },
  known: readonly KeptFailure[],
  shrunkRuns: readonly ShrunkRun[],
  onKept: (kept: KeptRun) => void,
  broken: BrokenService | null = null,
): Promise<void> {
  for (const shrunkRun of shrunkRuns) {
    const { seed } = shrunkRun.run
    const written = writeFailure(folder, keptFailureOf(seed, shrunkRun.shrunk), known)
    const onRecorded = (recording: string) =>
      onKept({ ...shrunkRun, file: relative('', written), recording: relative('', recording) })
    await recordRuns(recordings, [runToRecord(seed, shrunkRun.shrunk)], onRecorded, broken)
  }
}

/** Returns a shrunk script as a kept failure. */
function keptFailureOf(seed: number, { steps, broken }: ShrunkScript): Omit<KeptFailure, 'file'> {
  return { ...broken, seed, case: { steps } as never }
}

/** Returns a shrunk script to record, named for the requirement that it breaks. */
function runToRecord(seed: number, { steps, broken }: ShrunkScript): RunToRecord {
  return { name: `${broken.requirement}.seed-${seed}`, seed, steps, log: [] }
}
