import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World, type WorldOptions } from '../../simulation/world/world.ts'
import { canonicalJson } from '../format/canonical.ts'
import { only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { checkSameAnvil, policyOfRecording, recordAgain } from './replayRecording.ts'

/** Returns the parts that a known-broken service replaces in the reference. */
export type SeamsOfDefect = (defect: string | undefined) => Promise<ServiceSeams>

/** The worlds in which recordings are run again: one per policy, as a start costs more than many resets. */
export class ReplayWorlds {
  readonly #chain: Pick<WorldOptions, 'startSandbox'>
  readonly #seamsOf: SeamsOfDefect
  readonly #worlds = new Map<string, World>()
  readonly #made = new Map<string, Recording>()

  /** @param startSandbox starts their chain. Default: Anvil, which must be the same as that of the recordings. */
  constructor(seamsOf: SeamsOfDefect, startSandbox?: WorldOptions['startSandbox']) {
    this.#chain = startSandbox === undefined ? {} : { startSandbox }
    this.#seamsOf = seamsOf
  }

  /**
   * Runs a recording's script again with the recorded service, and records it.
   *
   * @throws the errors of `policyOfRecording`, `checkSameAnvil` and `recordAgain`.
   */
  async record(recording: Recording): Promise<Recording> {
    const policy = policyOfRecording(recording)
    if (this.#chain.startSandbox === undefined) checkSameAnvil(recording)
    const [, { defect }] = only(recording.entries, 'manifest')
    const key = canonicalJson({ ...policy, venueGasLimit: String(policy.venueGasLimit) })
    const known = this.#worlds.get(key)
    const world = known ?? (await createWorld({ seed: 1, policy, stateRoots: true, ...this.#chain }))
    this.#worlds.set(key, world)
    return recordAgain(world, recording, await this.#seamsOf(defect), this.#made)
  }

  async stop(): Promise<void> {
    for (const world of this.#worlds.values()) await world.stop()
  }
}
