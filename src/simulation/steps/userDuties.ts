import { encodeFunctionData, erc20Abi, type Hex, maxUint160, maxUint256 } from 'viem'
import { CANONICAL } from '../../fixtures/canonical.ts'
import type { SignedTransaction, TransactionRequest, Wallet } from '../../sandbox/wallet.ts'
import type { BuildTx, FeeTransfer } from '../../spec/wire.ts'

/** Enough for any settlement of the world; unused gas is not paid. */
export const SWAP_GAS = 3_000_000n

/**
 * Sends the approvals that §4.2 rule 4 requires of the user before the swap, and leaves the transactions in the mempool: an
 * approval; or the approval of Permit2 and then the signed permit; or nothing.
 *
 * @param amountRaw the approved amount. Default: no limit.
 */
export async function sendApprovals(
  wallet: Wallet,
  token: Hex,
  { allowanceTarget, permit2, to }: BuildTx,
  amountRaw: bigint | null = null,
): Promise<readonly SignedTransaction[]> {
  if (allowanceTarget === null) return []
  const spender = spenderOf({ allowanceTarget, permit2, to })
  if (!permit2) return [await wallet.sendApproval(token, spender, amountRaw ?? maxUint256)]
  return [
    await wallet.sendPermit2Approval(token, amountRaw ?? maxUint256),
    await wallet.sendPermit({ token, amountRaw: amountRaw ?? maxUint160, spender }),
  ]
}

/** Returns the spender that a build requires: if it names Permit2 itself, the permit is for the called contract. */
export function spenderOf({ permit2, to, allowanceTarget }: Spending): Hex {
  const named = addressOf(allowanceTarget)
  return permit2 && named === addressOf(CANONICAL.permit2) ? addressOf(to) : named
}

type Spending = Pick<BuildTx, 'permit2' | 'to'> & { readonly allowanceTarget: string }

/** Returns an address in lower case: a response may use any case. */
export function addressOf(text: string): Hex {
  return text.toLowerCase() as Hex
}

/** Returns the transaction of a build's fee transfer (§4.2 rule 5). */
export function feeTransferRequest({ token, to, amountRaw }: FeeTransfer): TransactionRequest {
  const [recipient, raw] = [addressOf(to), BigInt(amountRaw)]
  if (token === 'native') return { to: recipient, value: raw, gas: SWAP_GAS }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, raw] })
  return { to: addressOf(token), data, gas: SWAP_GAS }
}

/** Sends a build's fee transfer. */
export function sendFeeTransfer(wallet: Wallet, transfer: FeeTransfer): Promise<SignedTransaction> {
  return wallet.send(feeTransferRequest(transfer))
}

/** Returns the transaction of a build's swap, as built (§4.3 rule 1). */
export function swapRequest({ to, data, value }: BuildTx): TransactionRequest {
  return { to: addressOf(to), data: addressOf(data), value: BigInt(value), gas: SWAP_GAS }
}
