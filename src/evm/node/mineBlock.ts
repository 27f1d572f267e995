import type { Hex } from 'viem'
import { headerOf, mixHashOf, NO_ROOT, rootsOf } from '../blockHash.ts'
import type { BlockContext, Executed } from '../call.ts'
import { GasLimitError, type GasMeter } from '../gasMeter.ts'
import { keccak256 } from '../keccak.ts'
import { executeTransaction } from '../machine.ts'
import type { EvmState } from '../state.ts'
import { nodeRootOf } from '../stateRoots.ts'
import { costOf } from './admission.ts'
import type { MinedTransaction, NodeBlock } from './described.ts'
import { effectivePriceWei, type SignedTransaction } from './transaction.ts'

/** Gas for computing a root, for each account and slot: the gas that is executed in the same time. */
const ROOT_GAS = 100

export interface NextBlock {
  readonly coinbase: Hex
  readonly nextBaseFeeWei: bigint
  readonly timestampS: number
  readonly meter: GasMeter | null
  /** True if the block is only shown as pending: its state root is not computed. */
  readonly isPending?: boolean
}

/** Roots of states that no longer change: blocks without transactions share the state of their parent. */
const roots = new WeakMap<EvmState, Hex>()

/**
 * Executes the transactions that fit into the next block, in order, on the state of the parent.
 *
 * @param ready in the order of mining, each with the next nonce of its sender.
 * @returns the block, and the transactions that the node drops because they can never be mined.
 * @throws {GasLimitError} the execution exceeds the limit of the meter.
 */
export async function mineBlock(
  parent: NodeBlock,
  ready: readonly SignedTransaction[],
  { coinbase, nextBaseFeeWei, timestampS, meter, isPending = false }: NextBlock,
): Promise<{ readonly block: NodeBlock; readonly dropped: ReadonlySet<SignedTransaction> }> {
  const { gasLimit, mixHash } = parent.context
  const number = parent.context.number + 1
  const context: BlockContext = {
    number,
    timestampS,
    miner: coinbase,
    baseFeeWei: nextBaseFeeWei,
    gasLimit,
    mixHash: isPending ? mixHash : mixHashOf(parent.hash, number),
  }
  const state = stateFor(parent.state, ready.length, meter, isPending)
  const dropped = new Set<SignedTransaction>()
  const transactions: MinedTransaction[] = []
  let gasUsed = 0
  for (const signed of ready) {
    const account = state.accounts.get(signed.from)
    if (BigInt(gasUsed) + signed.gas > BigInt(gasLimit)) continue
    const isNext = BigInt(signed.nonce) === (account?.nonce ?? 0n)
    if (!isNext || signed.maxFeeWei < nextBaseFeeWei || (account?.balance ?? 0n) < costOf(signed)) {
      dropped.add(signed)
      continue
    }
    const executed = await executedOrNull(state, context, signed)
    if (executed === null) {
      dropped.add(signed)
      continue
    }
    gasUsed += executed.gasUsed
    transactions.push({ signed, executed: { ...executed, raw: signed.raw, cumulativeGasUsed: gasUsed } })
  }
  const stateRoot = isPending ? NO_ROOT : rootOf(state)
  const block = complete({ parentHash: parent.hash, context, gasUsed, stateRoot, transactions, state })
  return { block, dropped }
}

/** Returns a block with the parts that follow from the others. */
export function complete(parts: Omit<NodeBlock, 'hash' | 'header' | 'roots' | 'lowestTipWei'>): NodeBlock {
  const { context, parentHash, stateRoot, gasUsed } = parts
  const { number, baseFeeWei } = context
  const transactions = parts.transactions.map(({ executed }) => executed)
  const fields = { ...context, parentHash, stateRoot, gasUsed, baseFeeWei: baseFeeWei.toString() }
  const roots = rootsOf({ transactions })
  const header = headerOf({ number, header: fields, transactions }, roots)
  const lowestTipWei = lowestTipOf(parts.transactions, baseFeeWei)
  return { ...parts, hash: keccak256(header), header, roots, lowestTipWei }
}

/** Returns the outcome of a transaction; null: it is invalid (for example, too little gas for its data) and changes nothing. */
async function executedOrNull(
  state: EvmState,
  context: BlockContext,
  { raw, from }: SignedTransaction,
): Promise<Executed | null> {
  try {
    return await executeTransaction(state, context, raw, from)
  } catch (error) {
    if (error instanceof GasLimitError) throw error
    return null
  }
}

function stateFor(state: EvmState, ready: number, meter: GasMeter | null, isPending: boolean): EvmState {
  if (ready === 0) return state
  return isPending ? state.scratch(meter) : state.copy(meter)
}

function rootOf(state: EvmState): Hex {
  const known = roots.get(state)
  if (known !== undefined) return known
  state.meter?.spend(ROOT_GAS * state.size)
  const root = nodeRootOf(state)
  roots.set(state, root)
  return root
}

/** Returns the lowest tip per unit of gas that a transaction paid, in wei; null: there are no transactions. */
function lowestTipOf(transactions: readonly MinedTransaction[], baseFeeWei: bigint): bigint | null {
  let lowest: bigint | null = null
  for (const { signed } of transactions) {
    const tip = effectivePriceWei(signed, baseFeeWei) - baseFeeWei
    if (lowest === null || tip < lowest) lowest = tip
  }
  return lowest
}
