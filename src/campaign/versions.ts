import { createHash } from 'node:crypto'
import { plumblineVersion } from '../host/version.ts'
import { contractDigests } from '../recordings/execute/contractDigests.ts'
import { anvilVersion } from '../sandbox/binary.ts'
import { UsageError } from '../spec/errors.ts'

/** Describes what must be equal on every machine of a campaign: it decides what a seed comes to. */
export interface Versions {
  readonly plumbline: string
  readonly anvil: string
  /** SHA-256 over the bytecode of the venues' contracts. */
  readonly contracts: string
  readonly nodeMajor: number
}

/** Returns the versions of this machine. */
export function ownVersions(): Versions {
  return {
    plumbline: plumblineVersion(),
    anvil: anvilVersion(),
    contracts: createHash('sha256').update(JSON.stringify(contractDigests())).digest('hex'),
    nodeMajor: Number(process.versions.node.split('.')[0]),
  }
}

/** A machine of other versions cannot work on a campaign, nor verify it: its seeds would come to something else. */
export class OtherVersionsError extends UsageError {
  override readonly name = 'OtherVersionsError'
  readonly campaign: string
  /** What differs: `anvil 1.7.1 instead of 1.7.0`. */
  readonly differences: readonly string[]
  constructor(campaign: string, differences: readonly string[]) {
    super(
      `campaign ${campaign} was started with other versions; here is ${differences.join(', ')}`,
      'Install the versions that it was started with, on every machine, or start a campaign with these.',
    )
    this.campaign = campaign
    this.differences = differences
  }
}

/** In what the versions of a machine differ from those of a campaign; empty where it may work on it. */
export function differencesOf(own: Versions, campaign: Versions): readonly string[] {
  const names = Object.keys(campaign) as (keyof Versions)[]
  return names.flatMap((name) =>
    own[name] === campaign[name] ? [] : [`${name} ${own[name]} instead of ${campaign[name]}`],
  )
}

/** @throws {OtherVersionsError} */
export function checkVersions(
  own: Versions,
  campaign: { readonly id: string; readonly versions: Versions },
): void {
  const differences = differencesOf(own, campaign.versions)
  if (differences.length > 0) throw new OtherVersionsError(campaign.id, differences)
}
