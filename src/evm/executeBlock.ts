import type { Hex } from 'viem'
import { type BlockContext, type Executed, executeTransaction } from './machine.ts'
import type { EvmState } from './state.ts'

/** A transaction of an executed block. */
export interface ExecutedTransaction extends Executed {
  readonly raw: Hex
  readonly cumulativeGasUsed: number
}

/**
 * Executes the transactions of a block in their order, and changes the state.
 *
 * @throws {Error} a transaction is invalid at its place: its nonce, its funds, its fee.
 */
export async function executeBlock(
  state: EvmState,
  context: BlockContext,
  transactions: readonly { readonly raw: Hex; readonly from: Hex }[],
): Promise<readonly ExecutedTransaction[]> {
  const executed: ExecutedTransaction[] = []
  let cumulativeGasUsed = 0
  for (const { raw, from } of transactions) {
    const outcome = await executeTransaction(state, context, raw, from)
    cumulativeGasUsed += outcome.gasUsed
    executed.push({ ...outcome, raw, cumulativeGasUsed })
  }
  return executed
}
