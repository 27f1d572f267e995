import { type Address, encodeAbiParameters, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { VenueStates } from '../state/venues.ts'
import * as concentrated from './concentrated.ts'
import { type ConstantProductHop, quotePath } from './constantProduct.ts'
import * as oracleMaker from './oracleMaker.ts'
import * as orderBook from './orderBook.ts'
import type { Direction, ModelQuote } from './result.ts'
import * as singleton from './singleton.ts'
import * as stableSwap from './stableSwap.ts'

/** The ordinals of `IFaulty.Fault` that keep a venue from quoting. */
const QUOTE_FAULTS: ReadonlySet<number> = new Set([
  1, // NoLiquidity
  2, // RevertOnQuote
  5, // BurnGasOnQuote
  7, // NonsenseOnQuote
])

/** One way of a venue from one token to another. */
export interface ModelRoute {
  /** The `route` argument of the venue's front; empty for a venue that takes none. */
  readonly data: Hex
  /** How many pools it crosses. */
  readonly hops: number
  /** What it would pay for base units of the input. A venue may answer zero where a caller wants a price. */
  quoteExactIn(amountIn: bigint): ModelQuote
}

/**
 * What one venue would pay for an exact input in these states: the best of its routes. The native coin and WETH stand
 * for each other, as the settlement contract and the venues convert them. Amounts are base units of what reaches the
 * pool and of what leaves it: a token that takes a fee on transfer is not known to be one.
 */
export function modelQuote(
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
): ModelQuote {
  if (QUOTE_FAULTS.has(states.faults[venueId])) return { unpriced: 'faulty' }
  const routes = modelRoutes(manifest, states, venueId, tokenIn, tokenOut)
  return best(routes.map((route) => route.quoteExactIn(amountIn)))
}

/** What the best route of this venue pays; when none has a price, why the first has none. */
function best(quotes: readonly ModelQuote[]): ModelQuote {
  const outputs = quotes.flatMap((quote) => ('amountOut' in quote ? [quote.amountOut] : []))
  const [amountOut = 0n] = outputs.sort((one, other) => (one < other ? 1 : -1))
  if (amountOut > 0n) return { amountOut }
  if (outputs.length > 0) return { unpriced: 'zero-output' }
  return quotes[0] ?? { unpriced: 'no-pool' }
}

/**
 * Every route of a venue between two tokens: the direct pair and the way through WETH (venue_a), the fee tiers
 * (venue_b), the pool keys (venue_e), or the one pool of the pair.
 */
export function modelRoutes(
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  tokenIn: Address,
  tokenOut: Address,
): ModelRoute[] {
  const [from, to] = [tradedToken(manifest, venueId, tokenIn), tradedToken(manifest, venueId, tokenOut)]
  switch (venueId) {
    case 'venue_a':
      return pathsOf(manifest.weth, states.venue_a, from, to)
    case 'venue_b':
      return crossing(states.venue_b, from, to).map(({ fee, state, direction }) =>
        oneHop(encodeAbiParameters([{ type: 'uint24' }], [fee]), (amountIn) =>
          concentrated.quoteExactIn(state, direction, amountIn),
        ),
      )
    case 'venue_c':
      return crossing(states.venue_c, from, to).map(({ state, direction }) =>
        oneHop('0x', (amountIn) => orderBook.quoteExactIn(state, direction, amountIn)),
      )
    case 'venue_d':
      return crossing(states.venue_d, from, to).map(({ state, direction }) =>
        oneHop('0x', (amountIn) => stableSwap.quoteExactIn(state, direction, amountIn)),
      )
    case 'venue_e':
      return crossing(states.venue_e, from, to).map(({ state, direction, key: { fee, tickSpacing } }) =>
        oneHop(encodeAbiParameters([{ type: 'uint24' }, { type: 'int24' }], [fee, tickSpacing]), (amountIn) =>
          singleton.quoteExactIn(state, direction, amountIn),
        ),
      )
    case 'venue_f':
      return crossing(states.venue_f, from, to).map(({ state, direction }) =>
        oneHop('0x', (amountIn) => oracleMaker.quoteExactIn(state, direction, amountIn)),
      )
  }
}

function oneHop(data: Hex, quoteExactIn: ModelRoute['quoteExactIn']): ModelRoute {
  return { data, hops: 1, quoteExactIn }
}

/** The paths of venue_a: the pair itself, and the way through WETH for two tokens that both are not WETH. */
function pathsOf(weth: Address, pools: VenueStates['venue_a'], from: Address, to: Address): ModelRoute[] {
  const route = (path: readonly Address[], hops: readonly ConstantProductHop[]): ModelRoute => ({
    data: encodeAbiParameters([{ type: 'address[]' }], [path]),
    hops: hops.length,
    quoteExactIn: (amountIn) => quotePath(hops, amountIn),
  })
  const direct = crossing(pools, from, to).map((hop) => route([from, to], [hop]))
  const outOf = crossing(pools, weth, to)
  const through = crossing(pools, from, weth).flatMap((first) =>
    outOf.map((second) => route([from, weth, to], [first, second])),
  )
  return [...direct, ...through]
}

/** The pools of a pair, each with the direction in which `tokenIn` goes. */
function crossing<P extends { readonly tokens: readonly [Address, Address] }>(
  pools: readonly P[],
  tokenIn: Address,
  tokenOut: Address,
): (P & { readonly direction: Direction })[] {
  return pools.flatMap((pool): (P & { readonly direction: Direction })[] => {
    const [token0, token1] = pool.tokens
    if (isAddressEqual(token0, tokenIn) && isAddressEqual(token1, tokenOut)) {
      return [{ ...pool, direction: 'zeroForOne' }]
    }
    if (isAddressEqual(token0, tokenOut) && isAddressEqual(token1, tokenIn)) {
      return [{ ...pool, direction: 'oneForZero' }]
    }
    return []
  })
}

/** The coin that a venue itself trades where a request names `token`: the native one or WETH. */
export function tradedToken(manifest: Manifest, venueId: VenueId, token: Address): Address {
  if (venueId === 'venue_e') return isAddressEqual(token, manifest.weth) ? zeroAddress : token
  return isAddressEqual(token, zeroAddress) ? manifest.weth : token
}
