import type { Hex } from 'viem'
import type { Manifest } from '../spec/manifest.ts'
import type { Environment } from '../targets/environment.ts'
import { readVenueStates, type VenueStates } from '../venues-mock/state/venues.ts'
import type { Surroundings } from './observe.ts'

interface KnownBlock {
  readonly states: VenueStates
  readonly baseFeeWei: bigint
}

/** The pools as they were read at a block; a reset world meets the same blocks again and again. */
const knownBlocks = new WeakMap<Manifest, Map<Hex, KnownBlock>>()

/** What is known, without the service, of an environment as it stands. Nothing but the clock where its chain obeys nobody. */
export async function surroundingsOf(
  environment: Pick<Environment, 'manifest' | 'clock' | 'control'>,
): Promise<Surroundings> {
  const { manifest, clock, control } = environment
  const unknown = { manifest, clock, states: null, feeds: null, gasHasCost: null, hasCode: null }
  if (control === null) return { ...unknown, gasHasPrice: false, isReference: false }
  const { rpc, chain } = control.sandbox
  const blocks = knownBlocks.get(manifest) ?? new Map<Hex, KnownBlock>()
  knownBlocks.set(manifest, blocks)
  const { hash, baseFeeWei } = await chain.head()
  const states =
    blocks.get(hash)?.states ??
    (await readVenueStates((method, params) => rpc.request(method, params), manifest))
  blocks.set(hash, { states, baseFeeWei })
  return {
    ...unknown,
    states,
    // "Every venue that answered" (§2.2): a venue with a price is listed, however its gas is priced.
    gasHasPrice: true,
    gasHasCost: baseFeeWei > 0n,
    isReference: false,
    hasCode: async (address) => (await rpc.request<string>('eth_getCode', [address, 'latest'])).length > 2,
  }
}
