import { PlumblineError } from '../../spec/errors.ts'
import { type Difference, shown } from '../format/differences.ts'

/** The recording was made with contracts that differ from those of this version. */
export class OtherWorldError extends PlumblineError {
  override readonly name = 'OtherWorldError'
  /** The contracts that differ, are missing, or were added since. */
  readonly contracts: readonly string[]
  constructor(contracts: readonly string[]) {
    super(
      `it was recorded with other contracts: ${contracts.join(', ')}`,
      'Verify it with the version that made it, which has those contracts: here nothing of it can be executed.',
    )
    this.contracts = contracts
  }
}

/** The recorded node and the second EVM disagree. The node's replies to the service may be wrong, so the service is not judged. */
export class ChainInDoubtError extends PlumblineError {
  override readonly name = 'ChainInDoubtError'
  readonly differences: readonly Difference[]
  /** The position of the first difference in the file. */
  readonly entry: number
  readonly field: string
  /** @param canReplay true if the file can be replayed; a recording of a service from outside cannot. */
  constructor(differences: readonly [Difference, ...Difference[]], canReplay: boolean) {
    const [{ entry, field, recorded, executed }, ...others] = differences
    super(
      `the chain is in doubt: entry ${entry}, ${field}: recorded ${shown(recorded)}, executed here ${shown(executed)}${others.length === 0 ? '' : `; ${others.length} more`}`,
      `Either the file was altered and sealed again, or two EVMs disagree. ${canReplay ? '`plumbline replay` asks the recorded one again.' : 'Run the case against the service again with --record, and compare.'}`,
    )
    this.differences = differences
    this.entry = entry
    this.field = field
  }
}
