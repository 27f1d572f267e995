import { join } from 'node:path'
import { writeWhole } from '../../host/writeWhole.ts'
import { type DraftOf, positioned } from '../../recordings/format/drafts.ts'
import { renderRecording } from '../../recordings/format/file.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { recordScript } from '../../recordings/record/recordScript.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import type { StepLog } from '../../simulation/run/runLog.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { HarnessError } from '../harnessError.ts'
import type { FinishedRun } from './simulations.ts'

/** A known-broken service: its id, and what it replaces in the reference. */
export interface BrokenService {
  readonly id: string
  readonly seams: ServiceSeams
}

/** Describes what is recorded: a script with its name, and what it left when it was run. */
export type RunToRecord = Pick<FinishedRun, 'name' | 'seed' | 'steps' | 'log'>

/**
 * Runs every script once more, in a world of its own, and writes its recording as `<name>.json`. As a run follows
 * from its seed and its script, the second is the first.
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
    for (const run of runs) onRecorded(writeRecording(directory, await recordRun(world, run, broken)))
  } finally {
    await world.stop()
  }
}

async function recordRun(
  world: World,
  { name, seed, steps, log }: RunToRecord,
  broken: BrokenService | null,
): Promise<Recording> {
  const recording = await recordScript(world, { name, seed, steps, defect: broken?.id })
  checkSameSteps(name, recording, log)
  return recording
}

/** A script that could not be run left no log to compare. Blocks had other hashes: the run's world kept no state roots. */
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

/**
 * Writes a recording into a directory under its script's name.
 *
 * @returns the path of the file.
 */
function writeRecording(directory: string, recording: Recording): string {
  const [, { name }] = positioned(recording.entries, 'script')[0] as readonly [number, DraftOf<'script'>]
  const path = join(directory, `${name}.json`)
  writeWhole(path, renderRecording(recording))
  return path
}
