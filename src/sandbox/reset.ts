import { type Hex, numberToHex, zeroAddress } from 'viem'
import { PlumblineError } from '../spec/errors.ts'
import { type RawBlock, toBlock } from './blocks.ts'
import type { Rpc } from './rpc.ts'

/** Seconds from one block to the next where nobody gives a time. */
export const BLOCK_INTERVAL_S = 1

/** The state that a reset should go back to is gone. */
export class WorldLostError extends PlumblineError {
  override readonly name = 'WorldLostError'
  constructor(problem: string) {
    super(
      `the world cannot be reset: ${problem}`,
      'Start a new sandbox; and keep others from reverting or rolling back behind the deployment.',
    )
  }
}

/** Everything about time, fees and mining that a snapshot does not hold, as calls that may run in any order. */
export function chainSettings(nextBaseFeeWei: bigint) {
  return [
    { method: 'anvil_setCoinbase', params: [zeroAddress] },
    { method: 'anvil_setNextBlockBaseFeePerGas', params: [numberToHex(nextBaseFeeWei)] },
    { method: 'anvil_setBlockTimestampInterval', params: [BLOCK_INTERVAL_S] },
    { method: 'evm_setAutomine', params: [false] },
  ]
}

/**
 * Takes a snapshot of the chain as it is; the answered function brings it back, any number of times, equal to the hash
 * of every later block.
 */
export async function createReset(rpc: Rpc, nextBaseFeeWei: bigint): Promise<() => Promise<void>> {
  const [id, head] = (await rpc.batch([
    { method: 'evm_snapshot' },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])) as [Hex, RawBlock]
  const base = toBlock(head)
  let snapshot = id

  /** @throws {WorldLostError} the snapshot or its block is gone */
  return async function reset() {
    // Before the state: the node would keep the pool, and test it against the older state.
    await rpc.request('anvil_dropAllTransactions')
    if (!(await rpc.request<boolean>('evm_revert', [snapshot]))) {
      throw new WorldLostError('its snapshot is gone')
    }
    const answers = await rpc.batch([
      // Going back uses the snapshot up.
      { method: 'evm_snapshot' },
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ...chainSettings(nextBaseFeeWei),
    ])
    snapshot = answers[0] as Hex
    const now = answers[1] as RawBlock | null
    if (now?.hash !== base.hash) throw new WorldLostError(`block ${base.number} was reorganised away`)
  }
}
