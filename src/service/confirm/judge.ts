import type { RejectionReason } from '../errors.ts'
import type { Build } from '../records.ts'
import type { BlockFacts, ReceiptFacts, TransactionFacts } from './evidence.ts'

/** One reading of the chain: the transaction, its receipt, the canonical block at its height, and the head. */
export interface Facts {
  readonly transaction: TransactionFacts
  readonly receipt: ReceiptFacts
  /** Null when the chain is now shorter than the receipt's height. */
  readonly block: BlockFacts | null
  readonly head: bigint
}

export type PendingReason = 'transaction-not-found' | 'pending' | 'too-few-confirmations' | 'block-changed'

export type Verdict =
  | { readonly kind: 'credited'; readonly block: BlockFacts; readonly confirmations: number }
  | { readonly kind: 'pending'; readonly reason: PendingReason; readonly confirmations: number }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason; readonly message: string }

/** Returns the confirmations of a receipt: its own block counts as the first; 0 when the chain is now shorter. */
export const depthOf = (receipt: ReceiptFacts, head: bigint): number =>
  Math.max(0, Number(head - receipt.blockNumber) + 1)

/**
 * Judges whether a transaction is the confirmed execution of a build: §4.3 rules 1, 2, 5 and 6. No decision is final before the
 * depth is reached: a transaction that reverted or executed late may be reorganised out and execute again.
 *
 * @param depth the confirmations required.
 */
export function judge(build: Build, facts: Facts, depth: number): Verdict {
  const { transaction, receipt, block, head } = facts
  if (block === null || block.hash !== receipt.blockHash) {
    return { kind: 'pending', reason: 'block-changed', confirmations: 0 }
  }
  const confirmations = depthOf(receipt, head)
  if (confirmations < depth) return { kind: 'pending', reason: 'too-few-confirmations', confirmations }

  if (!receipt.succeeded) return rejected('reverted', 'the transaction reverted')
  return (
    mismatch(build, transaction) ??
    outsideWindow(build, block.timestampS) ?? { kind: 'credited', block, confirmations }
  )
}

/** Compares both sides (§4.3 rule 1). Both are lower-case hex and bigints, so `===` compares bytes. */
function mismatch(build: Build, transaction: TransactionFacts): Verdict | null {
  const { chainId } = transaction
  if (chainId !== null && chainId !== BigInt(build.chainId)) {
    return rejected('chain-mismatch', 'the transaction was signed for another chain than the build')
  }
  if (transaction.from !== build.sender) {
    return rejected('sender-mismatch', 'the transaction was sent by another address than the build names')
  }
  if (transaction.to !== build.target) {
    return rejected('target-mismatch', 'the transaction calls another contract than the build')
  }
  if (transaction.input !== build.calldata) {
    return rejected('calldata-mismatch', 'the transaction carries other calldata than the build')
  }
  if (transaction.value !== build.valueRaw) {
    return rejected('value-mismatch', 'the transaction sends another native value than the build')
  }
  return null
}

/** Checks the window (§4.3 rule 2). Block timestamps are whole seconds, so the second of the build is inside it. */
function outsideWindow(build: Build, timestampS: number): Verdict | null {
  if (timestampS * 1000 > build.validUntilMs) {
    return rejected('after-window', 'the transaction executed after the attribution window of the build')
  }
  if (timestampS < Math.floor(build.createdAtMs / 1000)) {
    return rejected('before-window', 'the transaction executed before the build was made')
  }
  return null
}

const rejected = (reason: RejectionReason, message: string): Verdict => ({
  kind: 'rejected',
  reason,
  message,
})
