import type { ServiceSeams } from '../../service/testing.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { World } from '../../simulation/world/world.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { firstDifference } from '../format/differences.ts'
import { only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { describePrograms, describeRun, policyOf } from '../record/environment.ts'
import { describeGenesis } from '../record/genesis.ts'
import { recordScript } from '../record/recordScript.ts'
import { checkLayout } from '../verify/checkLayout.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { type Divergence, firstDivergence } from './divergence.ts'

/** The recording was made in another environment, so a replay here would prove nothing. */
export class ReplayRefusedError extends PlumblineError {
  override readonly name = 'ReplayRefusedError'
  /** The part that differs, such as `anvil.client` or `contracts.settlementBytecode`. */
  readonly field: string
  readonly recorded: string
  readonly here: string
  constructor(field: string, recorded: string, here: string) {
    super(
      `the recording was made with another ${field}: ${recorded} then, ${here} here`,
      'Replay it with the version of Plumbline that made it, or record the script again; verify needs neither.',
    )
    this.field = field
    this.recorded = recorded
    this.here = here
  }
}

/** The recording is of a service from outside, which cannot be run again. */
class OutsideReplayError extends PlumblineError {
  override readonly name = 'OutsideReplayError'
  constructor() {
    super(
      'it was recorded from outside, and holds no service to run again',
      'Only recordings of the reference can be replayed. `plumbline verify` proves this one, `plumbline show` prints it.',
    )
  }
}

/**
 * Returns the policy that the world of a replay must have.
 *
 * @throws {OutsideReplayError} the recording is of a service from outside.
 */
export function policyOfRecording({ entries }: Recording): ReturnType<typeof policyOf> {
  if (isOutside(entries)) throw new OutsideReplayError()
  return policyOf(only(entries, 'manifest')[1])
}

/**
 * Runs a recording's script again, from the file alone, and compares everything that happens with the recording. The world must
 * have the recording's policy; it is reset first.
 *
 * @param seams replaces parts of the reference service.
 * @returns the first divergence; null: the two are identical.
 * @throws {ReplayRefusedError} another Anvil, other contracts, another world or policy.
 * @throws {ContradictionError} the file was changed since it was recorded.
 */
export async function replayRecording(
  world: World,
  recording: Recording,
  seams?: ServiceSeams,
): Promise<Divergence | null> {
  return firstDivergence(recording, await recordAgain(world, recording, seams))
}

/**
 * Runs a recording's script again, from the file alone, and records it. Requires the same world and throws the same errors as
 * `replayRecording`.
 *
 * @param made caches the last run: it is reused for the same script, policy and programs.
 */
export async function recordAgain(
  world: World,
  recording: Recording,
  seams?: ServiceSeams,
  made: Map<string, Recording> = new Map(),
): Promise<Recording> {
  checkLayout(recording)
  await checkSameWorld(world, recording)
  const [, { name, seed, steps }] = only(recording.entries, 'script')
  const [, { defect, policy }] = only(recording.entries, 'manifest')
  const [, programs] = only(recording.entries, 'provenance')
  const script = { name, seed, steps: steps as StepInput[], defect }
  const key = JSON.stringify([policy, script, { ...programs, n: null, sums: null, hash: null }])
  const again = made.get(key) ?? (await recordScript(world, script, seams, programs))
  made.clear()
  made.set(key, again)
  return again
}

/** @throws {ReplayRefusedError} the world has another node, other contracts or another policy. */
async function checkSameWorld(world: World, { entries }: Recording): Promise<void> {
  const { kind: _kind, redacted: _redacted, ...here } = await describeRun(world)
  const { chainId, hardfork, anvil, contracts, policy } = only(entries, 'manifest')[1]
  checkSame({ chainId, hardfork, anvil, contracts, policy }, here)
  const [, then] = only(entries, 'genesis')
  const now = await describeGenesis(world)
  checkSame({ genesisHash: then.genesisHash, base: then.base, world: then.world }, now)
}

/**
 * Checks that a recording was made with the Anvil of this machine.
 *
 * @throws {ReplayRefusedError} it was made with another.
 */
export function checkSameAnvil({ entries }: Recording): void {
  const [, made] = only(entries, 'provenance')
  const programs = describePrograms()
  // Binaries for different platforms differ within one version; on one platform they must be identical.
  if (made.anvil.platform === programs.anvil.platform)
    checkSame({ anvil: made.anvil }, { anvil: programs.anvil })
}

function checkSame(then: Readonly<Record<string, unknown>>, here: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(then)) {
    const difference = firstDifference(value, here[field], field)
    if (difference !== null)
      throw new ReplayRefusedError(difference.field, difference.recorded, difference.replayed)
  }
}
