import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { CANONICAL } from '../fixtures/canonical.ts'
import { LIMITS } from '../spec/limits.ts'
import type { Signer } from './signer.ts'

/** The part of Permit2 (AllowanceTransfer) that a trader uses. */
export const PERMIT2_ABI = parseAbi([
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'function permit(address owner, PermitSingle permitSingle, bytes signature)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

/** Permit2's maximum amount, which means no limit. */
export const MAX_UINT160 = 2n ** 160n - 1n
/** Permit2's maximum time, in epoch seconds, which means no expiry. */
export const MAX_UINT48 = 2 ** 48 - 1

export interface PermitSingle {
  readonly details: {
    readonly token: Hex
    readonly amount: bigint
    /** Epoch seconds. */
    readonly expiration: number
    /** Counts per owner, token and spender; only the next nonce is accepted. */
    readonly nonce: number
  }
  readonly spender: Hex
  /** Epoch seconds. */
  readonly sigDeadline: bigint
}

/** Signs a permit for the owner's tokens (EIP-712). */
export function signPermitSingle(owner: Signer, permit: PermitSingle): Promise<Hex> {
  return owner.signTypedData({
    domain: { name: 'Permit2', chainId: LIMITS.chainId, verifyingContract: CANONICAL.permit2 },
    types: {
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
    },
    primaryType: 'PermitSingle',
    message: permit,
  })
}

/** Returns the calldata that submits a signed permit to Permit2. Any account may send it. */
export function encodePermit(owner: Hex, permit: PermitSingle, signature: Hex): Hex {
  return encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'permit', args: [owner, permit, signature] })
}
