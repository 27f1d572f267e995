import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem'
import { CANONICAL } from '../fixtures/canonical.ts'
import { LIMITS } from '../spec/limits.ts'
import type { SandboxChain } from './chain.ts'
import { encodePermit, MAX_UINT48, PERMIT2_ABI, type PermitSingle, signPermitSingle } from './permit2.ts'
import { bumped, readPooled } from './pool.ts'
import type { Rpc } from './rpc.ts'
import { createSigner } from './signer.ts'

/** EIP-1559 fees, in wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The default fees of a transaction: a tip of 1 gwei, and room for the base fee to rise. */
export const DEFAULT_FEES: Fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

export interface TransactionRequest extends Partial<Fees> {
  /** Null: the transaction creates a contract, with `data` as its code. */
  readonly to: Hex | null
  readonly data?: Hex
  /** Wei. Default 0. */
  readonly value?: bigint
  /** Never estimated: the state may have changed by the time the transaction is mined. */
  readonly gas: bigint
  /** Default: the next nonce, pending transactions included. */
  readonly nonce?: number
  /** The types before EIP-1559 have one gas price, which is `maxFeePerGas`. Default: `eip1559`. */
  readonly type?: 'legacy' | 'eip2930' | 'eip1559'
}

export interface SignedTransaction {
  readonly hash: Hex
  readonly rawTransaction: Hex
  readonly nonce: number
}

/** The fields of a transaction without nonce and gas. Addresses and data in lower case, as nodes return them. */
export interface TransactionContent {
  readonly from: Hex
  /** Null: it creates a contract. */
  readonly to: Hex | null
  readonly input: Hex
  /** Wei. */
  readonly valueRaw: bigint
}

interface PermitRequest {
  readonly token: Hex
  /** At most 2^160 - 1. */
  readonly amountRaw: bigint
  readonly spender: Hex
  /** Epoch seconds at which the allowance expires. Default: never. */
  readonly expirationS?: number
  /** Epoch seconds until which the signature may be submitted. Default: no deadline. */
  readonly sigDeadlineS?: number
  /** Default: the next nonce that Permit2 accepts. */
  readonly nonce?: number
}

interface SignedPermit {
  readonly permit: PermitSingle
  readonly signature: Hex
  /** The transaction that submits it. */
  readonly call: { readonly to: Hex; readonly data: Hex }
}

/**
 * An account that signs locally, without the node. Signatures are deterministic (RFC 6979), so the same requests give the same
 * bytes. The `send…` methods add to the mempool without mining.
 */
export interface Wallet {
  readonly address: Hex
  /** Returns the next nonce, pending transactions included. */
  nonce(): Promise<number>
  sign(request: TransactionRequest): Promise<SignedTransaction>
  /** @throws {RpcError} the node refused it: not enough ETH for gas and value, or a used nonce */
  send(request: TransactionRequest): Promise<SignedTransaction>
  /** ERC-20 `approve`. */
  sendApproval(token: Hex, spender: Hex, amountRaw: bigint, fees?: Fees): Promise<SignedTransaction>
  /** Approves Permit2 for the token, once for all later permits. */
  sendPermit2Approval(token: Hex, amountRaw: bigint, fees?: Fees): Promise<SignedTransaction>
  signPermit(request: PermitRequest): Promise<SignedPermit>
  /** Signs a permit and submits it to Permit2. */
  sendPermit(request: PermitRequest, fees?: Fees): Promise<SignedTransaction>
  /**
   * Cancels a pending transaction of this account: replaces it by an empty transfer to itself, with fees 10% higher.
   * @throws {ChainError} it is not in the mempool, or belongs to another account
   */
  cancel(hash: Hex): Promise<SignedTransaction>
}

/** More gas than any ERC-20 approval or Permit2 permit of the world needs. */
const APPROVAL_GAS = 200_000n
const TRANSFER_GAS = 21_000n

const lower = (hex: Hex) => hex.toLowerCase() as Hex

/**
 * @param extraGas added to the gas limit of every transaction, so that the same transaction, resent on a chain that was reset,
 *   has a different hash. Unused gas costs nothing.
 * @param onSigned called with each signed transaction.
 */
export function createWallet(
  rpc: Rpc,
  chain: Pick<SandboxChain, 'sendRaw' | 'replaceTransaction'>,
  privateKey: Hex,
  extraGas = 0n,
  onSigned: (hash: Hex, content: TransactionContent) => void = () => {},
): Wallet {
  const account = createSigner(privateKey)

  async function nextPermitNonce(token: Hex, spender: Hex): Promise<number> {
    const args = [account.address, token, spender] as const
    const data = encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'allowance', args })
    const answer = await rpc.request<Hex>('eth_call', [{ to: CANONICAL.permit2, data }, 'latest'])
    const [, , nonce] = decodeFunctionResult({ abi: PERMIT2_ABI, functionName: 'allowance', data: answer })
    return nonce
  }

  const wallet: Wallet = {
    address: account.address,
    async nonce() {
      return Number(await rpc.request<Hex>('eth_getTransactionCount', [account.address, 'pending']))
    },
    async sign({ nonce: givenNonce, type = 'eip1559', maxFeePerGas, maxPriorityFeePerGas, ...request }) {
      const nonce = givenNonce ?? (await wallet.nonce())
      const gasPrice = maxFeePerGas ?? DEFAULT_FEES.maxFeePerGas
      const tip = maxPriorityFeePerGas ?? DEFAULT_FEES.maxPriorityFeePerGas
      const unpriced = { ...request, gas: request.gas + extraGas, chainId: LIMITS.chainId, nonce }
      const rawTransaction = await account.signTransaction(
        type === 'eip1559'
          ? { ...unpriced, type, maxFeePerGas: gasPrice, maxPriorityFeePerGas: tip }
          : { ...unpriced, type, gasPrice },
      )
      const hash = keccak256(rawTransaction)
      const { to, data = '0x', value = 0n } = request
      onSigned(hash, {
        from: lower(account.address),
        to: to && lower(to),
        input: lower(data),
        valueRaw: value,
      })
      return { hash, rawTransaction, nonce }
    },
    async send(request) {
      const signed = await wallet.sign(request)
      await chain.sendRaw(signed.rawTransaction)
      return signed
    },
    sendApproval(token, spender, amountRaw, fees = DEFAULT_FEES) {
      const args = [spender, amountRaw] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      return wallet.send({ to: token, data, gas: APPROVAL_GAS, ...fees })
    },
    sendPermit2Approval: (token, amountRaw, fees) =>
      wallet.sendApproval(token, CANONICAL.permit2, amountRaw, fees),
    async signPermit({ token, amountRaw, spender, expirationS, sigDeadlineS, nonce }) {
      const permit: PermitSingle = {
        details: {
          token,
          amount: amountRaw,
          expiration: expirationS ?? MAX_UINT48,
          nonce: nonce ?? (await nextPermitNonce(token, spender)),
        },
        spender,
        sigDeadline: BigInt(sigDeadlineS ?? MAX_UINT48),
      }
      const signature = await signPermitSingle(account, permit)
      const data = encodePermit(account.address, permit, signature)
      return { permit, signature, call: { to: CANONICAL.permit2, data } }
    },
    async sendPermit(request, fees = DEFAULT_FEES) {
      const { call } = await wallet.signPermit(request)
      return wallet.send({ ...call, gas: APPROVAL_GAS, ...fees })
    },
    async cancel(hash) {
      const old = await readPooled(rpc, hash)
      const signed = await wallet.sign({
        to: account.address,
        gas: TRANSFER_GAS,
        nonce: old.nonce,
        maxFeePerGas: bumped(old.maxFeePerGas),
        maxPriorityFeePerGas: bumped(old.maxPriorityFeePerGas),
      })
      await chain.replaceTransaction(hash, signed.rawTransaction)
      return signed
    },
  }
  return wallet
}
