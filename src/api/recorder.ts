/**
 * Recordings: a JSON file that holds a whole run of the reference service, which can be verified offline and replayed.
 *
 * @example
 * ```ts
 * import { readFileSync, writeFileSync } from 'node:fs'
 * import { makeRecording, renderRecording, replayRecording, verifyRecording } from 'plumbline-conformance/recorder'
 *
 * const recording = await makeRecording({
 *   name: 'one-quote',
 *   seed: 1,
 *   steps: [{ op: 'quote', key: 'one', query: { from: 'ETH', to: 'USDG', amount: 1 } }],
 * })
 * writeFileSync('one-quote.json', renderRecording(recording))
 * const { counts, failures } = await verifyRecording(readFileSync('one-quote.json', 'utf8'))
 * const divergence = await replayRecording(recording) // null: identical
 * ```
 */

import { loadSeams } from '../cli/suites/loadSeams.ts'
import type { Recording } from '../recordings/format/schema.ts'
import type { RecordedScript } from '../recordings/record/recordScript.ts'
import { recordScript } from '../recordings/record/recordScript.ts'
import type { Divergence } from '../recordings/replay/divergence.ts'
import { EvmReplay } from '../recordings/replay/evmReplay.ts'
import { policyOfRecording, replayRecording as replayIn } from '../recordings/replay/replayRecording.ts'
import {
  type Verified,
  type VerifyOptions,
  verifyRecording as verifyOnce,
} from '../recordings/verify/verifyRecording.ts'
import { createWorld, type World, type WorldOptions } from '../simulation/world/world.ts'

export { RecordingFormatError, RecordingLeakError } from '../recordings/format/errors.ts'
export { parseRecording, renderRecording } from '../recordings/format/file.ts'
export type { Recording } from '../recordings/format/schema.ts'
export type { RecordedScript } from '../recordings/record/recordScript.ts'
export type { Divergence } from '../recordings/replay/divergence.ts'
export { ReplayRefusedError } from '../recordings/replay/replayRecording.ts'
export { ContradictionError } from '../recordings/verify/errors.ts'
export type { Verified } from '../recordings/verify/verifyRecording.ts'
export { type StepInput, stepSchema } from '../simulation/steps/steps.ts'

/**
 * Runs a script against the reference service in its own world, and records everything that happens, with the verdicts. Equal
 * scripts give byte-identical recordings.
 *
 * @throws {RecordingLeakError} a secret would be written. Also throws what `startSandbox` throws.
 */
export function makeRecording(script: RecordedScript): Promise<Recording> {
  return inWorld({ seed: script.seed }, (world) => recordScript(world, script))
}

/**
 * Runs a recording's script again on a fresh chain, from the recording alone, and compares everything that happens.
 *
 * @returns the first divergence, or null when both are identical.
 * @throws {ReplayRefusedError} it was made with another Anvil, other contracts or another world.
 * @throws {ContradictionError} it was changed since it was recorded.
 */
export function replayRecording(recording: Recording): Promise<Divergence | null> {
  return inWorld({ seed: 1, policy: policyOfRecording(recording) }, (world) => replayIn(world, recording))
}

/**
 * Verifies a recording offline, from the text of its file alone. If this version of the reference made it, its script is also run
 * again, on the second EVM.
 *
 * @throws {RecordingFormatError} the text is not a recording of this version.
 * @throws {ContradictionError} the first contradiction, with its entry and field. {PlumblineError} any other reason to refuse it.
 */
export async function verifyRecording(
  text: string,
  options: Omit<VerifyOptions, 'replay'> = {},
): Promise<Verified> {
  const replay = new EvmReplay(loadSeams)
  try {
    return await verifyOnce(text, { ...options, replay: replay.prove })
  } finally {
    await replay.stop()
  }
}

async function inWorld<T>(options: WorldOptions, use: (world: World) => Promise<T>): Promise<T> {
  const world = await createWorld({ ...options, stateRoots: true })
  try {
    return await use(world)
  } finally {
    await world.stop()
  }
}
