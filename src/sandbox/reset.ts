import { type Hex, numberToHex, zeroAddress } from 'viem'
import { type RawBlock, toBlock } from './blocks.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** Seconds from one block to the next where nobody gives a time. */
const BLOCK_INTERVAL_S = 1

const READ_HEAD = { method: 'eth_getBlockByNumber', params: ['latest', false] }

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
 * Resets before the node is worn out. Every reset leaves one count of the base's state behind in the node, see
 * `KEPT_STATES`; the rest is room for the blocks of a run.
 */
const RESETS_OF_A_NODE = 768

/** `worn-out`: nothing is restored, and only a new node can be. */
export type ResetOutcome = 'restored' | 'worn-out'

/**
 * Takes a snapshot of the chain as it is; the answered function brings it back, equal to the hash of every later block.
 * A node is worn out by many resets, by a run of more blocks than it keeps states, and by whoever uses the snapshot up
 * or takes its block away by hand.
 *
 * @param nextBaseFeeWei what the next block of the world costs
 */
export async function createReset(
  rpc: Rpc,
  nextBaseFeeWei: bigint,
  resetsOfANode = RESETS_OF_A_NODE,
): Promise<() => Promise<ResetOutcome>> {
  const [id, head] = (await rpc.batch([{ method: 'evm_snapshot' }, READ_HEAD])) as [Hex, RawBlock]
  const base = toBlock(head)
  let snapshot = id
  let resets = 0

  async function restore(): Promise<ResetOutcome> {
    // The pool goes before the state: the node would keep it, and test it against the older state.
    const [now] = (await rpc.batch([READ_HEAD, { method: 'anvil_dropAllTransactions' }])) as [RawBlock]
    const depth = Number(toBlock(now).number - base.number)
    // Makes the node forget the blocks above the base and their states: going back to a snapshot alone keeps their
    // counts, and the same blocks mined again would then be forgotten before their time.
    if (depth > 0) await rpc.request('anvil_rollback', [depth])
    // Rolled back already, yet only the snapshot knows the balances and code that were set without a block.
    if (!(await rpc.request<boolean>('evm_revert', [snapshot]))) return 'worn-out'
    // Going back used the snapshot up.
    const [fresh] = await rpc.batch([{ method: 'evm_snapshot' }, ...chainSettings(nextBaseFeeWei)])
    snapshot = fresh as Hex
    return 'restored'
  }

  return async function reset() {
    resets += 1
    if (resets > resetsOfANode) return 'worn-out'
    try {
      return await restore()
    } catch (error) {
      // The node refuses to roll back to a state that it has forgotten, and to revert to a block that is gone.
      if (error instanceof RpcError) return 'worn-out'
      throw error
    }
  }
}
