import { type Address, isAddressEqual, zeroAddress } from 'viem'
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

/**
 * What one venue would pay for an exact input in these states: the best of its routes, which are the direct pair and
 * the way through WETH (venue_a), the fee tiers (venue_b), the pool keys (venue_e), or the one pool of the pair. The
 * native coin and WETH stand for each other, as the settlement contract and the venues convert them. Amounts are base
 * units of what reaches the pool and of what leaves it: a token that takes a fee on transfer is not known to be one.
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
  const traded = (token: Address) => asTraded(venueId, manifest.weth, token)
  const quotes = routeQuotes(manifest, states, venueId, traded(tokenIn), traded(tokenOut), amountIn)
  return best(quotes)
}

/** What the best route of this venue pays; when none has a price, why the first has none. */
function best(quotes: readonly ModelQuote[]): ModelQuote {
  const outputs = quotes.flatMap((quote) => ('amountOut' in quote ? [quote.amountOut] : []))
  const [amountOut = 0n] = outputs.sort((one, other) => (one < other ? 1 : -1))
  if (amountOut > 0n) return { amountOut }
  if (outputs.length > 0) return { unpriced: 'zero-output' }
  return quotes[0] ?? { unpriced: 'no-pool' }
}

function routeQuotes(
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint,
): ModelQuote[] {
  const across = <P extends { readonly tokens: readonly [Address, Address] }>(pools: readonly P[]) =>
    crossing(pools, tokenIn, tokenOut)
  switch (venueId) {
    case 'venue_a': {
      const direct = across(states.venue_a).map((hop) => [hop])
      const paths = [...direct, ...throughWeth(manifest.weth, states.venue_a, tokenIn, tokenOut)]
      return paths.map((path) => quotePath(path, amountIn))
    }
    case 'venue_b':
      return across(states.venue_b).map((hop) =>
        concentrated.quoteExactIn(hop.state, hop.direction, amountIn),
      )
    case 'venue_c':
      return across(states.venue_c).map((hop) => orderBook.quoteExactIn(hop.state, hop.direction, amountIn))
    case 'venue_d':
      return across(states.venue_d).map((hop) => stableSwap.quoteExactIn(hop.state, hop.direction, amountIn))
    case 'venue_e': {
      const pools = states.venue_e.map(({ key, state }) => ({
        tokens: [key.currency0, key.currency1] as const,
        state,
      }))
      return across(pools).map((hop) => singleton.quoteExactIn(hop.state, hop.direction, amountIn))
    }
    case 'venue_f':
      return across(states.venue_f).map((hop) => oracleMaker.quoteExactIn(hop.state, hop.direction, amountIn))
  }
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

/** The ways of venue_a through WETH, for two tokens that both are not WETH. */
function throughWeth(
  weth: Address,
  pools: VenueStates['venue_a'],
  tokenIn: Address,
  tokenOut: Address,
): ConstantProductHop[][] {
  const into = crossing(pools, tokenIn, weth)
  const outOf = crossing(pools, weth, tokenOut)
  return into.flatMap((first) => outOf.map((second) => [first, second]))
}

/** The coin that a venue itself trades where a request names `token`. */
function asTraded(venueId: VenueId, weth: Address, token: Address): Address {
  if (venueId === 'venue_e') return isAddressEqual(token, weth) ? zeroAddress : token
  return isAddressEqual(token, zeroAddress) ? weth : token
}
