import { startEvmSandbox } from '../../evm/evmSandbox.ts'
import { plumblineVersion } from '../../host/version.ts'
import { only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { ContradictionError } from '../verify/errors.ts'
import { firstDivergenceInWords } from './divergence.ts'
import { ReplayRefusedError } from './replayRecording.ts'
import { ReplayWorlds, type SeamsOfDefect } from './replayWorlds.ts'

/** The result of running a recording again on the second EVM; a difference is thrown as an error. */
export type Replayed =
  | { readonly kind: 'identical'; readonly entries: number }
  /** Another version of the reference made it, which may behave differently. */
  | { readonly kind: 'other-version'; readonly version: string }
  /** It is of a service from outside, which cannot be run again. */
  | { readonly kind: 'outside' }

/** Runs recordings of the reference again, in this process and without Anvil, and requires identical results. */
export class EvmReplay {
  readonly #worlds: ReplayWorlds

  constructor(seamsOf: SeamsOfDefect) {
    this.#worlds = new ReplayWorlds(seamsOf, startEvmSandbox)
  }

  /**
   * Runs a recording again.
   *
   * @throws {ContradictionError} the reference of this version behaves differently.
   */
  readonly prove = async (recording: Recording): Promise<Replayed> => {
    const { entries } = recording
    if (isOutside(entries)) return { kind: 'outside' }
    const [, { plumbline: version }] = only(entries, 'provenance')
    if (version !== plumblineVersion()) return { kind: 'other-version', version }
    const again = await this.#again(recording)
    const divergence = firstDivergenceInWords(recording, again)
    if (divergence === null) return { kind: 'identical', entries: entries.length }
    const { entry, field, recorded, replayed } = divergence
    throw new ContradictionError(
      entry,
      field,
      `recorded ${recorded}, and the reference comes to ${replayed} when the script is run again`,
      'Do not trust this file, unless the reference was changed since it was recorded: `plumbline replay` runs it on Anvil and draws both.',
    )
  }

  async #again(recording: Recording): Promise<Recording> {
    try {
      return await this.#worlds.record(recording)
    } catch (error) {
      if (!(error instanceof ReplayRefusedError)) throw error
      const { field, recorded, here } = error
      const entry = recording.entries.findIndex(({ kind }) => kind === 'manifest')
      throw new ContradictionError(
        entry,
        field,
        `it says to be of this version, which has another one: ${recorded} then, ${here} here`,
      )
    }
  }

  stop(): Promise<void> {
    return this.#worlds.stop()
  }
}
