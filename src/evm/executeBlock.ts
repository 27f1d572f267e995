import type { Hex } from 'viem'
import { type BlockContext, type Executed, executeTransaction } from './machine.ts'
import type { EvmState } from './state.ts'

/** A transaction of an executed block. */
export interface ExecutedTransaction extends Executed {
  readonly raw: Hex
  readonly cumulativeGasUsed: number
}

type Raw = { readonly raw: Hex; readonly from: Hex }

/**
 * Executes the transactions of a block in their order, and changes the state.
 *
 * @param around is called instead of each execution, which it must carry out.
 * @throws {Error} a transaction is invalid at its place: its nonce, its funds, its fee.
 */
export async function executeBlock(
  state: EvmState,
  context: BlockContext,
  transactions: readonly Raw[],
  around: (index: number, execute: () => Promise<Executed>) => Promise<Executed> = (_, execute) => execute(),
): Promise<readonly ExecutedTransaction[]> {
  const executed: ExecutedTransaction[] = []
  let cumulativeGasUsed = 0
  for (const [index, { raw, from }] of transactions.entries()) {
    const outcome = await around(index, () => executeTransaction(state, context, raw, from))
    cumulativeGasUsed += outcome.gasUsed
    executed.push({ ...outcome, raw, cumulativeGasUsed })
  }
  return executed
}
