import { join, relative } from 'node:path'
import { writeWhole } from '../../host/writeWhole.ts'
import { positioned } from '../../recordings/format/drafts.ts'
import { renderRecording } from '../../recordings/format/file.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { recordScript } from '../../recordings/record/recordScript.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import type { StepLog } from '../../simulation/run/runLog.ts'
import { createWorld } from '../../simulation/world/world.ts'
import { type KeptFailure, writeFailure } from '../families/failures.ts'
import { HarnessError } from '../harnessError.ts'
import type { FinishedRun, ShrunkRun } from './simulations.ts'

/** A known-broken service: its id, and the parts of the reference that it replaces. */
export interface BrokenService {
  readonly id: string
  readonly seams: ServiceSeams
}

/** A script to record, with its name and the log of its first run. */
export type RunToRecord = Pick<FinishedRun, 'name' | 'seed' | 'steps' | 'log'>

/**
 * Runs every script again, in a separate world, and writes its recording as `<name>.json`. A run follows from its seed and its
 * script, so the second equals the first.
 *
 * @param broken the known-broken service that the scripts ran against. Default: the reference.
 * @throws {HarnessError}
 */
export async function recordRuns(
  directory: string,
  runs: readonly RunToRecord[],
  onRecorded: (path: string) => void = () => {},
  broken: BrokenService | null = null,
): Promise<void> {
  const world = await createWorld({ seed: 1, stateRoots: true, seams: broken?.seams ?? {} })
  try {
    for (const { name, seed, steps, log } of runs) {
      const recording = await recordScript(world, { name, seed, steps, defect: broken?.id })
      checkSameSteps(name, recording, log)
      const path = join(directory, `${name}.json`)
      writeWhole(path, renderRecording(recording))
      onRecorded(path)
    }
  } finally {
    await world.stop()
  }
}

/** Checks that a recording equals the first run, if that left a log; not its block hashes, since that world kept no state roots. */
function checkSameSteps(name: string, { entries }: Recording, log: readonly StepLog[]): void {
  const recorded = positioned(entries, 'step').map(([, step]) => step)
  for (const [index, { path, nowMs, head }] of log.entries()) {
    const step = recorded[index]
    const same =
      step?.path === path &&
      step.nowMs === nowMs &&
      step.head.number === Number(head.number) &&
      step.head.timestampS === head.timestampS
    if (same) continue
    throw new HarnessError(
      `${name} differed when it was recorded, from step ${path} on`,
      'Look for what the service reads in addition to its ports; run it twice with --trace and compare.',
    )
  }
}

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
    const { steps, broken: property } = shrunkRun.shrunk
    const written = writeFailure(folder, { ...property, seed, case: { steps } as never }, known)
    const onRecorded = (recording: string) =>
      onKept({ ...shrunkRun, file: relative('', written), recording: relative('', recording) })
    const name = `${property.requirement}.seed-${seed}`
    await recordRuns(recordings, [{ name, seed, steps, log: [] }], onRecorded, broken)
  }
}
