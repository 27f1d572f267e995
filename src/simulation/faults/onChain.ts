import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import { encodeSetFault, type VenueFault } from '../../venues-mock/faults.ts'
import { venueOf } from '../../venues-mock/state/venues.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import type { FAULTS } from './faults.ts'

const OWNER_GAS = 5_000_000n
const feedAbi = parseAbi(['function setAnswer(int256)', 'function setMode(uint8)'])
/** Values of `PriceFeed.Mode`. */
const FEED_MODES = { zero: 1, reverting: 2 } as const

/** A fault of a price feed. `answer`: the price it reports, with the feed's decimals. */
export type FeedFault =
  | { readonly kind: Exclude<keyof typeof FAULTS.feed, 'answer'> }
  | { readonly kind: 'answer'; readonly answer: bigint }

/** A transaction that injects a fault, and the account that must send it. */
export interface FaultTransaction {
  readonly by: 'operator' | 'deployer'
  readonly to: Hex
  readonly data: Hex
}

/**
 * Injects a fault into a venue; `none` ends it.
 *
 * @throws {PoolStateError} the manifest has no such venue.
 */
export function venueFault(manifest: Manifest, venue: VenueId, fault: VenueFault): FaultTransaction {
  return { by: 'operator', to: venueOf(manifest, venue).address, data: encodeSetFault(fault) }
}

/** Injects a fault into the price feed at an address. */
export function feedFault(feed: Hex, fault: FeedFault): FaultTransaction {
  return { by: 'deployer', to: feed, data: encodeFeedFault(fault) }
}

function encodeFeedFault(fault: FeedFault): Hex {
  const setAnswer = (answer: bigint) =>
    encodeFunctionData({ abi: feedAbi, functionName: 'setAnswer', args: [answer] })
  if (fault.kind === 'answer') return setAnswer(fault.answer)
  if (fault.kind === 'negative') return setAnswer(-1n)
  return encodeFunctionData({ abi: feedAbi, functionName: 'setMode', args: [FEED_MODES[fault.kind]] })
}

/**
 * Sends transactions of the contracts' owners and mines them in one block.
 *
 * @returns the hash of the first that failed; null: all succeeded.
 */
export async function sendAndMine(
  driven: DrivenChain,
  transactions: readonly FaultTransaction[],
): Promise<Hex | null> {
  const hashes: Hex[] = []
  for (const { by, to, data } of transactions) {
    hashes.push((await driven.wallet(by).send({ to, data, gas: OWNER_GAS })).hash)
  }
  await driven.mine()
  for (const hash of hashes) {
    if (!(await driven.sandbox.chain.receipt(hash))?.success) return hash
  }
  return null
}
