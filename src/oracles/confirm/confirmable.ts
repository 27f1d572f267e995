import { LIMITS } from '../../spec/limits.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { sameAddress } from '../verdict.ts'
import type { BuildFacts, TransactionFacts } from './confirmFacts.ts'

type Mined = Extract<TransactionFacts, { state: 'mined' }>

/** Number of confirmations that suffices whether or not a service counts the transaction's own block. */
export const SURELY_DEEP = LIMITS.confirmations + 1

/** Returns the confirmations of a block: head − block + 1, so that a block at the head has one. */
export function depthOf(blockNumber: bigint, headNumber: bigint): number {
  return Number(headNumber - blockNumber) + 1
}

/** Returns whether this many confirmations suffice to credit a swap (§4.3, §8). */
export function isDeepEnough(depth: number): boolean {
  return depth >= LIMITS.confirmations
}

/**
 * Returns the position of a block's time relative to the end of an attribution window. `at-end`: in its last second. A service
 * may compare whole seconds, and "within" may or may not include the last one.
 */
export function windowOf(blockTimestampS: bigint, validUntilMs: number): 'within' | 'at-end' | 'after' {
  const leftMs = BigInt(Math.floor(validUntilMs)) - blockTimestampS * 1000n
  if (leftMs < 0n) return 'after'
  return leftMs < 1000n ? 'at-end' : 'within'
}

/** Greatest difference between two clocks, as for the end of the window. */
const CLOCKS_DIFFER_MS = 2_000

/**
 * Returns whether a transaction was mined before the window of a build began, by more than `slackMs`. Block times are whole
 * seconds, and a service may start the window at another moment than the request, which its end shows.
 */
export function isBefore(build: BuildFacts, { blockTimestampS }: Mined, slackMs = 0): boolean {
  const beginsMs = Math.min(build.createdAtMs, build.validUntilMs - LIMITS.attributionWindowMs)
  return Number(blockTimestampS) < Math.floor((beginsMs - slackMs) / 1_000)
}

/** The reason why a mined transaction can never be credited to a build, with the clauses that demand it. */
export interface Rejection {
  readonly clauses: readonly RequirementId[]
  readonly why: string
}

/** Returns the reason to reject a mined transaction at any depth (a mismatch, a revert, a block outside the window), or null. */
export function rejectionOf(build: BuildFacts, transaction: Mined): Rejection | null {
  const mismatches = mismatchesOf(build, transaction)
  if (mismatches.length > 0) {
    return {
      clauses: ['confirm.rejected.mismatched', ...mismatches],
      why: `does not match: ${mismatches.join(', ')}`,
    }
  }
  if (!transaction.succeeded) return { clauses: ['confirm.rejected.reverted'], why: 'reverted' }
  if (isBefore(build, transaction, CLOCKS_DIFFER_MS)) {
    return { clauses: ['confirm.window.lower-end'], why: 'executed before the build' }
  }
  if (windowOf(transaction.blockTimestampS, build.validUntilMs) !== 'after') return null
  return {
    clauses: [
      'confirm.rejected.outside-window',
      'confirm.window.executes-within',
      'limits.attribution-window',
    ],
    why: 'executed after the window',
  }
}

/**
 * Returns the reason why a transaction may not be credited to a build at this height; null: it may be. Access to the build,
 * earlier credits and the budget are not considered.
 *
 * @param transaction its state on the canonical chain; undefined: unknown.
 */
export function whyNotConfirmable(
  build: BuildFacts | undefined,
  transaction: TransactionFacts | undefined,
  headNumber: bigint,
): string | null {
  if (build === undefined) return 'there is no such build'
  if (transaction?.state !== 'mined') return 'the transaction is in no block'
  const depth = depthOf(transaction.blockNumber, headNumber)
  if (!isDeepEnough(depth)) return `it has ${depth} confirmations`
  return rejectionOf(build, transaction)?.why ?? null
}

/** Returns the parts of the build that a mined transaction does not match, compared as bytes and numbers (§4.3 rule 1). */
function mismatchesOf(build: BuildFacts, transaction: Mined): readonly RequirementId[] {
  const mismatches: RequirementId[] = []
  if (!sameAddress(build.sender, transaction.from)) mismatches.push('confirm.match.sender')
  if (!sameAddress(build.target, transaction.to)) mismatches.push('confirm.match.target')
  if (build.calldata.toLowerCase() !== transaction.input.toLowerCase())
    mismatches.push('confirm.match.calldata')
  if (build.valueRaw !== transaction.valueRaw) mismatches.push('confirm.match.value')
  return mismatches
}
