import { type Address, encodeAbiParameters, type Hex, zeroAddress } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { Pool } from '../state/reader.ts'
import type { VenueStates } from '../state/venues.ts'
import * as concentrated from './concentrated.ts'
import * as constantProduct from './constantProduct.ts'
import * as oracleMaker from './oracleMaker.ts'
import * as orderBook from './orderBook.ts'
import type { Direction, ModelQuote } from './result.ts'
import * as singleton from './singleton.ts'
import * as stableSwap from './stableSwap.ts'

/** Ordinals of `IFaulty.Fault` that keep a venue from quoting. */
const QUOTE_FAULTS: ReadonlySet<number> = new Set([
  1, // NoLiquidity
  2, // RevertOnQuote
  5, // BurnGasOnQuote
  7, // NonsenseOnQuote
])

/** Returns whether a fault, by its ordinal, affects a venue's quotes. */
export function isQuoteFault(ordinal: number): boolean {
  return QUOTE_FAULTS.has(ordinal)
}

/** One route of a venue from one token to another, at the given states. */
export interface ModelRoute {
  /** The `route` argument of the venue's router; empty for a venue without one. */
  readonly data: Hex
  /** Returns the output for an input in base units. A venue may return zero where a caller needs a price. */
  quoteExactIn(amountIn: bigint): ModelQuote
}

/**
 * Returns a venue's output for an exact input at these states: that of its best route. The native coin and WETH are
 * interchangeable, as the settlement contract and the venues convert them. Amounts are base units that enter and leave the
 * pool: fees on transfer are not taken into account.
 */
export function modelQuote(
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
): ModelQuote {
  if (isQuoteFault(states.faults[venueId])) return { unpriced: 'faulty' }
  const routes = modelRoutes(manifest, states, venueId, tokenIn, tokenOut)
  return best(routes.map((route) => route.quoteExactIn(amountIn)))
}

/** Returns the output of the venue's best route; when none has a price, the reason of the first. */
function best(quotes: readonly ModelQuote[]): ModelQuote {
  const outputs = quotes.flatMap((quote) => ('amountOut' in quote ? [quote.amountOut] : []))
  const [amountOut = 0n] = outputs.sort((one, other) => (one < other ? 1 : -1))
  if (amountOut > 0n) return { amountOut }
  if (outputs.length > 0) return { unpriced: 'zero-output' }
  return quotes[0] ?? { unpriced: 'no-pool' }
}

/**
 * Returns every route of a venue between two tokens: the direct pair and the path through WETH (venue_a), the fee tiers
 * (venue_b), the pool keys (venue_e), or the one pool of the pair.
 */
export function modelRoutes(
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  tokenIn: Address,
  tokenOut: Address,
): ModelRoute[] {
  const from = tradedToken(manifest, venueId, tokenIn)
  const to = tradedToken(manifest, venueId, tokenOut)
  // A round trip through another token is not a route.
  if (isSame(from, to)) return []
  switch (venueId) {
    case 'venue_a':
      return pathRoutes(manifest.weth, states.venue_a, from, to)
    case 'venue_b':
      return poolRoutes(concentrated.quoteExactIn, states.venue_b, from, to, ({ fee }) =>
        encodeAbiParameters([{ type: 'uint24' }], [fee]),
      )
    case 'venue_c':
      return poolRoutes(orderBook.quoteExactIn, states.venue_c, from, to)
    case 'venue_d':
      return poolRoutes(stableSwap.quoteExactIn, states.venue_d, from, to)
    case 'venue_e':
      return poolRoutes(singleton.quoteExactIn, states.venue_e, from, to, ({ key }) =>
        encodeAbiParameters([{ type: 'uint24' }, { type: 'int24' }], [key.fee, key.tickSpacing]),
      )
    case 'venue_f':
      return poolRoutes(oracleMaker.quoteExactIn, states.venue_f, from, to)
  }
}

/** Returns the routes of one hop, one for each pool of the pair. */
function poolRoutes<State, P extends Pool<State>>(
  quoteExactIn: (state: State, direction: Direction, amountIn: bigint) => ModelQuote,
  pools: readonly P[],
  from: Address,
  to: Address,
  data: (pool: P) => Hex = () => '0x',
): ModelRoute[] {
  return crossings(pools, from, to).map(({ pool, direction }) => ({
    data: data(pool),
    quoteExactIn: (amountIn) => quoteExactIn(pool.state, direction, amountIn),
  }))
}

/** Returns the paths of venue_a: the pair itself, and the path through WETH if neither token is WETH. */
function pathRoutes(weth: Address, pools: VenueStates['venue_a'], from: Address, to: Address): ModelRoute[] {
  const outOf = crossings(pools, weth, to)
  const paths = [
    ...crossings(pools, from, to).map((hop) => ({ tokens: [from, to], hops: [hop] })),
    ...crossings(pools, from, weth).flatMap((into) =>
      outOf.map((hop) => ({ tokens: [from, weth, to], hops: [into, hop] })),
    ),
  ]
  return paths.map(({ tokens, hops }) => ({
    data: encodeAbiParameters([{ type: 'address[]' }], [tokens]),
    quoteExactIn: (amountIn) =>
      constantProduct.quotePath(
        hops.map(({ pool, direction }) => ({ state: pool.state, direction })),
        amountIn,
      ),
  }))
}

interface Crossing<P> {
  readonly pool: P
  readonly direction: Direction
}

/** Returns the pools of a pair, each with the direction of a swap from `from`. */
function crossings<P extends Pool<unknown>>(pools: readonly P[], from: Address, to: Address): Crossing<P>[] {
  return pools.flatMap((pool): Crossing<P>[] => {
    const [token0, token1] = pool.tokens
    if (isSame(token0, from) && isSame(token1, to)) {
      return [{ pool, direction: 'zeroForOne' }]
    }
    if (isSame(token0, to) && isSame(token1, from)) {
      return [{ pool, direction: 'oneForZero' }]
    }
    return []
  })
}

/** Returns the coin that a venue trades for the requested `token`: native or WETH. */
export function tradedToken(manifest: Manifest, venueId: VenueId, token: Address): Address {
  if (venueId === 'venue_e') return isSame(token, manifest.weth) ? zeroAddress : token
  return isSame(token, zeroAddress) ? manifest.weth : token
}

/** Returns whether two addresses are equal; viem's own comparison verifies their checksums, which costs a hash each. */
function isSame(one: Address, other: Address): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
