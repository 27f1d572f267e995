import { type Address, encodeFunctionData, type Hex, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import { type ModelRoute, modelRoutes } from '../models/venue.ts'
import { type VenueStates, venueOf } from '../state/venues.ts'

const directAbi = parseAbi([
  'function quote(address tokenIn, address tokenOut, uint256 amountIn) view returns (uint256)',
  'function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minimumOut, address recipient) payable',
])
const frontAbi = parseAbi([
  'function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes route) returns (uint256)',
])
const settlementAbi = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable',
])

export interface Transaction {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** One route through a venue: its model, and the calls that quote and swap it on the venue. */
export interface VenueRoute {
  readonly name: string
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly model: ModelRoute
  /** The call that quotes this route on the chain. */
  ask(amountIn: bigint): { readonly to: Address; readonly data: Hex }
}

/** Every route of a venue between the tokens of its pools, both ways. */
export function venueRoutes(manifest: Manifest, states: VenueStates, venueId: VenueId): VenueRoute[] {
  const { address, fee } = venueOf(manifest, venueId)
  const tokens = [...new Set(states[venueId].flatMap((pool) => [...pool.tokens]))]
  const pairs = tokens.flatMap((tokenIn) => tokens.map((tokenOut) => [tokenIn, tokenOut] as const))
  return pairs.flatMap(([tokenIn, tokenOut]) =>
    modelRoutes(manifest, states, venueId, tokenIn, tokenOut).map((model) => ({
      name: `${symbolOf(manifest, tokenIn)} to ${symbolOf(manifest, tokenOut)}, route ${model.data}`,
      tokenIn,
      tokenOut,
      model,
      ask: (amountIn: bigint) => ({
        to: address,
        data:
          fee === 'transfer'
            ? encodeFunctionData({
                abi: directAbi,
                functionName: 'quote',
                args: [tokenIn, tokenOut, amountIn],
              })
            : encodeFunctionData({ abi: frontAbi, args: [tokenIn, tokenOut, amountIn, model.data] }),
      }),
    })),
  )
}

/**
 * The transaction that swaps `amountIn` along a route, without fee or minimum. Native output arrives as WETH, so that
 * what a swap delivers is not mixed with what its gas costs.
 */
export function swapTransaction(
  manifest: Manifest,
  venueId: VenueId,
  { tokenIn, tokenOut, model }: VenueRoute,
  amountIn: bigint,
  recipient: Address,
): Transaction {
  const { address, target, fee } = venueOf(manifest, venueId)
  const value = isAddressEqual(tokenIn, zeroAddress) ? amountIn : 0n
  if (fee === 'transfer') {
    const args = [tokenIn, tokenOut, amountIn, 0n, recipient] as const
    return { to: target, value, data: encodeFunctionData({ abi: directAbi, functionName: 'swap', args }) }
  }
  const order = {
    venue: address,
    tokenIn,
    tokenOut: deliveredToken(manifest, tokenOut),
    venueTokenIn: tokenIn,
    venueTokenOut: tokenOut,
    amountIn,
    feeAmount: 0n,
    feeRecipient: zeroAddress,
    minimumOut: 0n,
    usePermit2: false,
    route: model.data,
  }
  return { to: target, value, data: encodeFunctionData({ abi: settlementAbi, args: [order] }) }
}

/** The token in which {@link swapTransaction} delivers an output. */
export function deliveredToken(manifest: Manifest, tokenOut: Address): Address {
  return isAddressEqual(tokenOut, zeroAddress) ? manifest.weth : tokenOut
}

function symbolOf(manifest: Manifest, token: Address): string {
  const known = [...manifest.registry, ...manifest.otherTokens].find(({ address }) =>
    isAddressEqual(address, token),
  )
  return known?.symbol ?? token
}
