import type { Hex } from 'viem'
import type { DrivenChain } from '../simulation/drivenChain.ts'
import type { Manifest } from '../spec/manifest.ts'
import { readVenueStates, type VenueStates } from '../venues-mock/state/venues.ts'

/** As many blocks as the cases of a reset world meet again and again. */
const BLOCKS_MAX = 64

interface Known {
  /** The first states read. No case puts liquidity into a pool with ticks: their search is spared afterwards. */
  readonly first: VenueStates
  readonly byBlock: Map<Hex, VenueStates>
}

const known = new WeakMap<Manifest, Known>()

/**
 * The pools as they stand at the head, read once for each block.
 *
 * @throws what `readVenueStates` throws.
 */
export async function venueStatesOf({
  manifest,
  sandbox,
}: Pick<DrivenChain, 'manifest' | 'sandbox'>): Promise<VenueStates> {
  const { number, hash } = await sandbox.chain.head()
  const earlier = known.get(manifest)
  const found = earlier?.byBlock.get(hash)
  if (found !== undefined) return found
  const request = (method: string, params: readonly unknown[]) => sandbox.rpc.request(method, params)
  const states = await readVenueStates(request, manifest, number, earlier?.first)
  const { byBlock } = earlier ?? { byBlock: new Map<Hex, VenueStates>() }
  if (earlier === undefined) known.set(manifest, { first: states, byBlock })
  byBlock.set(hash, states)
  const [oldest] = byBlock.keys()
  if (byBlock.size > BLOCKS_MAX && oldest !== undefined) byBlock.delete(oldest)
  return states
}
