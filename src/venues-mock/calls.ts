import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Manifest, ManifestVenue } from '../spec/manifest.ts'
import { tradedToken } from './models/venue.ts'

const directAbi = parseAbi([
  'function quote(address tokenIn, address tokenOut, uint256 amountIn) view returns (uint256)',
  'function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minimumOut, address recipient) payable',
])
const adapterAbi = parseAbi([
  'function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes route) returns (uint256)',
])
const settlementAbi = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable',
])

const NATIVE: Address = `0x${'0'.repeat(40)}`

/** A swap along one route of a venue. Amounts in base units of the input. */
export interface VenueOrder {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The total amount sold. */
  readonly amountIn: bigint
  /** The part of it that the venue does not swap; taken inside the transaction where the venue can. Default: none. */
  readonly fee?: bigint
  readonly feeRecipient?: Address
  /** Receives the output of a venue that is called directly; the settlement contract pays its caller. */
  readonly recipient: Address
  /** The `route` argument of the venue's router; `0x` for a venue without one. */
  readonly route: Hex
}

export interface VenueCall {
  readonly to: Address
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
}

/** Returns the call that requests a venue's output for an input along a route. ETH and WETH are interchangeable. */
export function quoteCall(
  manifest: Manifest,
  venue: ManifestVenue,
  { tokenIn, tokenOut, amountIn, route }: Pick<VenueOrder, 'tokenIn' | 'tokenOut' | 'amountIn' | 'route'>,
): VenueCall {
  const { address: to, fee, id } = venue
  if (fee === 'transfer') {
    const args = [tokenIn, tokenOut, amountIn] as const
    return { to, value: 0n, data: encodeFunctionData({ abi: directAbi, functionName: 'quote', args }) }
  }
  const [from, into] = [tradedToken(manifest, id, tokenIn), tradedToken(manifest, id, tokenOut)]
  return { to, value: 0n, data: encodeFunctionData({ abi: adapterAbi, args: [from, into, amountIn, route] }) }
}

/** Returns a user's transaction that swaps along a route, without a minimum. */
export function swapCall(manifest: Manifest, venue: ManifestVenue, order: VenueOrder): VenueCall {
  const { tokenIn, tokenOut, amountIn, fee: feeAmount = 0n, feeRecipient = NATIVE, recipient, route } = order
  const { address, target: to, fee, id, approval } = venue
  const isNative = tokenIn === NATIVE
  if (fee === 'transfer') {
    const swapped = amountIn - feeAmount
    const args = [tokenIn, tokenOut, swapped, 0n, recipient] as const
    const data = encodeFunctionData({ abi: directAbi, functionName: 'swap', args })
    return { to, value: isNative ? swapped : 0n, data }
  }
  const swap = {
    venue: address,
    tokenIn,
    tokenOut,
    venueTokenIn: tradedToken(manifest, id, tokenIn),
    venueTokenOut: tradedToken(manifest, id, tokenOut),
    amountIn,
    feeAmount,
    feeRecipient,
    minimumOut: 0n,
    usePermit2: approval.kind === 'permit2' && !isNative,
    route,
  }
  return {
    to,
    value: isNative ? amountIn : 0n,
    data: encodeFunctionData({ abi: settlementAbi, args: [swap] }),
  }
}
