import { type Hex, numberToHex, zeroAddress } from 'viem'
import { PlumblineError } from '../spec/errors.ts'
import { type RawBlock, toBlock } from './blocks.ts'
import { type Rpc, RpcError } from './rpc.ts'

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

  /** @throws {WorldLostError} somebody took the snapshot or its block away by hand */
  return async function reset() {
    resets += 1
    if (resets > resetsOfANode) return 'worn-out'
    // The pool goes before the state: the node would keep it, and test it against the older state.
    const [now] = (await rpc.batch([READ_HEAD, { method: 'anvil_dropAllTransactions' }])) as [RawBlock]
    if (!(await rollBack(rpc, toBlock(now).number - base.number))) return 'worn-out'
    // Rolled back already, yet only the snapshot knows the balances and code that were set without a block.
    if (!(await rpc.request<boolean>('evm_revert', [snapshot]))) {
      throw new WorldLostError('its snapshot is gone')
    }
    const [fresh, restored] = (await rpc.batch([
      // Going back used the old one up.
      { method: 'evm_snapshot' },
      READ_HEAD,
      ...chainSettings(nextBaseFeeWei),
    ])) as [Hex, RawBlock | null]
    if (restored?.hash !== base.hash) throw new WorldLostError(`block ${base.number} was reorganised away`)
    snapshot = fresh
    return 'restored'
  }
}

/**
 * Makes the node forget the blocks above the base and their states: going back to a snapshot alone keeps their counts,
 * and the same blocks mined again would soon be forgotten before their time.
 *
 * @returns whether the node still had the state of the base
 */
async function rollBack(rpc: Rpc, depth: bigint): Promise<boolean> {
  if (depth <= 0n) return true
  try {
    await rpc.request('anvil_rollback', [Number(depth)])
    return true
  } catch (error) {
    if (error instanceof RpcError) return false
    throw error
  }
}
