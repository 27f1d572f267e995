import type { Hex } from 'viem'
import type { Block } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { readVenueStates, type VenueStates } from '../../venues-mock/state/venues.ts'
import type { DrivenChain } from './drivenChain.ts'

/** As many blocks as the cases of a reset world use repeatedly. */
const BLOCKS_MAX = 64

interface Known {
  /** The first states read. No case adds liquidity to a pool with ticks, so that later reads need no search for ticks. */
  readonly first: VenueStates
  readonly byBlock: Map<Hex, VenueStates>
}

const known = new WeakMap<Manifest, Known>()

/**
 * Returns the pools' state at the head, read once for each block.
 *
 * @param head the newest block, where it is known.
 * @throws the errors of `readVenueStates`.
 */
export async function venueStatesOf(
  { manifest, sandbox }: Pick<DrivenChain, 'manifest' | 'sandbox'>,
  head?: Block,
): Promise<VenueStates> {
  const { number, hash, timestampS } = head ?? (await sandbox.chain.head())
  const earlier = known.get(manifest)
  const found = earlier?.byBlock.get(hash)
  if (found !== undefined) return found
  const block = { number, timestampS: BigInt(timestampS) }
  const states = await readVenueStates(inBatches(sandbox.rpc), manifest, block, earlier?.first)
  const { byBlock } = earlier ?? { byBlock: new Map<Hex, VenueStates>() }
  if (earlier === undefined) known.set(manifest, { first: states, byBlock })
  byBlock.set(hash, states)
  const [oldest] = byBlock.keys()
  if (byBlock.size > BLOCKS_MAX && oldest !== undefined) byBlock.delete(oldest)
  return states
}

interface Waiting {
  readonly call: Parameters<Rpc['batch']>[0][number]
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Sends all calls requested in one turn in one round trip: the pools of a block take some twenty calls. */
function inBatches({ batch }: Pick<Rpc, 'batch'>): Parameters<typeof readVenueStates>[0] {
  let waiting: Waiting[] = []
  const send = async (sent: readonly Waiting[]): Promise<void> => {
    try {
      const results = await batch(sent.map(({ call }) => call))
      for (const [index, { resolve }] of sent.entries()) resolve(results[index])
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.push({ call: { method, params }, resolve, reject })
      if (waiting.length > 1) return
      queueMicrotask(() => {
        const sent = waiting
        waiting = []
        void send(sent)
      })
    })
}
