import { type Hex, numberToHex, pad, zeroAddress } from 'viem'
import { LIMITS } from '../spec/limits.ts'
import type { BlockContext } from './call.ts'
import {
  type CallRequest,
  type ChainPoint,
  freeOf,
  isKnownCall,
  type NodeAnswer,
  unsigned,
} from './chainPoint.ts'
import { executeCall } from './machine.ts'
import { type SimulatePayload, simulate } from './simulate.ts'

/** The lowest tip that Anvil suggests. */
const LOWEST_TIP_WEI = 1_000_000_000n
/** EIP-1559: the base fee moves by at most an eighth, towards blocks that are half full. */
const ELASTICITY = 2n
const MOST_BASE_FEE_CHANGE = 8n

/** Number of parameters of each supported method, the block included. */
const PARAMETERS: Readonly<Record<string, number>> = {
  eth_simulateV1: 2,
  eth_call: 2,
  eth_chainId: 0,
  eth_getBalance: 2,
  eth_getTransactionCount: 2,
  eth_getCode: 2,
  eth_getStorageAt: 3,
}

/** Returns the position of the block among the parameters of a method; null: the method takes no block. */
export function blockParameter(method: string): number | null {
  const count = Object.hasOwn(PARAMETERS, method) ? PARAMETERS[method] : undefined
  return count === undefined || count === 0 ? null : count - 1
}

/**
 * Returns a node's response to a call at a block.
 *
 * @param at the block that the call names; for `latest`, the newest.
 * @returns null: this EVM does not support the method, or not with these parameters.
 */
export async function answerAt(
  at: ChainPoint,
  method: string,
  params: readonly unknown[],
): Promise<NodeAnswer | null> {
  const [first, second] = params
  if (params.length > (PARAMETERS[method] ?? 0)) return null
  const address = typeof first === 'string' ? (first.toLowerCase() as Hex) : zeroAddress
  const account = at.state.accounts.get(address)
  switch (method) {
    case 'eth_simulateV1':
      return simulate(at, first as SimulatePayload)
    case 'eth_chainId':
      return { result: numberToHex(LIMITS.chainId) }
    case 'eth_call':
      return call(at, first as CallRequest)
    case 'eth_getBalance':
      return { result: numberToHex(account?.balance ?? 0n) }
    case 'eth_getTransactionCount':
      return { result: numberToHex(account?.nonce ?? 0n) }
    case 'eth_getCode':
      return { result: account?.code ?? '0x' }
    case 'eth_getStorageAt':
      return {
        result: pad(at.state.slotsOf(address).get(pad(second as Hex, { size: 32 })) ?? '0x', { size: 32 }),
      }
    default:
      return null
  }
}

/** Returns the base fee of the block after one with this context and `gasUsed` (EIP-1559). */
export function baseFeeAfter({ baseFeeWei, gasLimit }: BlockContext, gasUsed: number): bigint {
  const target = BigInt(gasLimit) / ELASTICITY
  const used = BigInt(gasUsed)
  if (used === target) return baseFeeWei
  const distance = used > target ? used - target : target - used
  const change = (baseFeeWei * distance) / target / MOST_BASE_FEE_CHANGE
  if (used < target) return baseFeeWei - change
  return baseFeeWei + (change > 0n ? change : 1n)
}

/**
 * Returns the gas price that a node reports after a block, in wei.
 *
 * @param baseFeeWei of the next block. Default: that which follows from the block.
 */
export function gasPriceAfter(
  { context, gasUsed, lowestTipWei }: ChainPoint,
  baseFeeWei = baseFeeAfter(context, gasUsed),
): bigint {
  const tip = lowestTipWei ?? 0n
  return baseFeeWei + (tip > LOWEST_TIP_WEI ? tip : LOWEST_TIP_WEI)
}

async function call(at: ChainPoint, request: CallRequest): Promise<NodeAnswer | null> {
  const { gasLimit } = at.context
  if (!isKnownCall(request, gasLimit)) return null
  const made = unsigned(request, gasLimit)
  const { succeeded, returned } = await executeCall(at.state.scratch(), freeOf(at.context), made)
  if (succeeded) return { result: returned }
  return {
    error: { code: 3, message: 'execution reverted', ...(returned === '0x' ? {} : { data: returned }) },
  }
}
