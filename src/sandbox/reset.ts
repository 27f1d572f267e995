import { type Hex, numberToHex, zeroAddress } from 'viem'
import { type RawBlock, toBlock } from './blocks.ts'
import { type Rpc, RpcError } from './rpc.ts'

const BLOCK_INTERVAL_S = 1

const READ_HEAD = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** Returns calls, for any order, that set the time, fees and mining, which a snapshot does not contain. */
export function chainSettings(nextBaseFeeWei: bigint) {
  return [
    { method: 'anvil_setCoinbase', params: [zeroAddress] },
    { method: 'anvil_setNextBlockBaseFeePerGas', params: [numberToHex(nextBaseFeeWei)] },
    { method: 'anvil_setBlockTimestampInterval', params: [BLOCK_INTERVAL_S] },
    { method: 'evm_setAutomine', params: [false] },
  ]
}

/**
 * The maximum number of resets per node. Each reset adds a count of the base state in the node, see `KEPT_STATES`; the rest is
 * left for the blocks of a run.
 */
export const RESETS_OF_A_NODE = 768

/** `worn-out`: nothing was restored; a new node is needed. */
export type ResetOutcome = 'restored' | 'worn-out'

/**
 * The time of a reset. Within a run, as for a reorganisation, others use the node concurrently, so it is not replaced because
 * of its number of resets; `RESETS_OF_A_NODE` leaves room for the resets of a run.
 */
export type ResetMoment = 'between-runs' | 'within-a-run'

/**
 * Takes a snapshot of the chain and returns a function that restores it so exactly that every later block has the same hash. A
 * node is worn out after many resets (between runs only), after a run of more blocks than its kept states, and when a caller
 * uses up the snapshot or removes its block.
 *
 * @param nextBaseFeeWei the base fee of the next block of the world
 */
export async function createReset(
  rpc: Rpc,
  nextBaseFeeWei: bigint,
  resetsOfANode = RESETS_OF_A_NODE,
): Promise<(moment?: ResetMoment) => Promise<ResetOutcome>> {
  const [id, head] = (await rpc.batch([{ method: 'evm_snapshot' }, READ_HEAD])) as [Hex, RawBlock]
  const base = toBlock(head)
  let snapshot = id
  let resets = 0

  async function restore(): Promise<ResetOutcome> {
    // Empty the mempool before the state: otherwise the node would check it against the older state.
    const [now] = (await rpc.batch([READ_HEAD, { method: 'anvil_dropAllTransactions' }])) as [RawBlock]
    const depth = Number(toBlock(now).number - base.number)
    // Makes the node drop the blocks above the base and their states. Reverting to a snapshot alone would keep their counts, and
    // the same blocks mined again would be dropped too early.
    if (depth > 0) await rpc.request('anvil_rollback', [depth])
    // Only the snapshot restores balances and code that were set without a block.
    if (!(await rpc.request<boolean>('evm_revert', [snapshot]))) return 'worn-out'
    // Reverting used up the snapshot.
    const [fresh] = await rpc.batch([{ method: 'evm_snapshot' }, ...chainSettings(nextBaseFeeWei)])
    snapshot = fresh as Hex
    return 'restored'
  }

  return async function reset(moment = 'between-runs') {
    resets += 1
    if (moment === 'between-runs' && resets > resetsOfANode) return 'worn-out'
    try {
      return await restore()
    } catch (error) {
      // The node refuses to roll back to a dropped state, and to revert to a removed block.
      if (error instanceof RpcError) return 'worn-out'
      throw error
    }
  }
}
