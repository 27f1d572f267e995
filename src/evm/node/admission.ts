import { LIMITS } from '../../spec/limits.ts'
import { LEAST_GAS } from '../machine.ts'
import type { NodeBlock } from './described.ts'
import type { NodePool } from './pool.ts'
import type { SignedTransaction } from './transaction.ts'

/** The node refused a request with this JSON-RPC error code. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const REJECTED = -32003
const GAS_TOO_LOW = -32000
const BAD_CHAIN = -32602

/**
 * Checks that a transaction may enter the pool, in the order of Anvil's own checks.
 *
 * @throws {NodeRefusal} it may not.
 */
export function admit(
  signed: SignedTransaction,
  pool: NodePool,
  head: NodeBlock,
  nextBaseFeeWei: bigint,
): void {
  const account = head.state.accounts.get(signed.from)
  if (signed.chainId !== null && signed.chainId !== BigInt(LIMITS.chainId))
    throw new NodeRefusal(BAD_CHAIN, 'invalid chain id for signer')
  if (BigInt(signed.nonce) < (account?.nonce ?? 0n)) throw new NodeRefusal(REJECTED, 'nonce too low')
  if (signed.gas < LEAST_GAS) throw new NodeRefusal(GAS_TOO_LOW, 'intrinsic gas too low')
  if (signed.gas > head.context.gasLimit) throw new NodeRefusal(GAS_TOO_LOW, 'intrinsic gas too high')
  if (signed.maxFeeWei < nextBaseFeeWei)
    throw new NodeRefusal(REJECTED, 'max fee per gas less than block base fee')
  if (signed.maxTipWei > signed.maxFeeWei)
    throw new NodeRefusal(REJECTED, 'max priority fee per gas higher than max fee per gas')
  if ((account?.balance ?? 0n) < costOf(signed))
    throw new NodeRefusal(REJECTED, 'Insufficient funds for gas * price + value')
  if (pool.find(signed.hash) !== null) throw new NodeRefusal(REJECTED, 'transaction already imported')
  const rival = pool.rivalOf(signed)
  if (rival !== null && signed.maxFeeWei <= rival.maxFeeWei)
    throw new NodeRefusal(REJECTED, 'replacement transaction underpriced')
}

/** Returns the most that a transaction can cost its sender, in wei. */
export function costOf({ gas, maxFeeWei, valueRaw }: SignedTransaction): bigint {
  return gas * maxFeeWei + valueRaw
}
