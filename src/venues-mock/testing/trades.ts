import { encodeAbiParameters, type Hex } from 'viem'
import { CANONICAL } from '../../fixtures/canonical.ts'
import { SINGLETON_POOLS } from '../../fixtures/pools.ts'
import type { VenueId } from '../../spec/venues.ts'

/** A trade of a test, by symbols. */
export interface Trade {
  readonly venue: VenueId
  readonly from: string
  readonly to: string
  /** The tokens that the venue takes and pays, when they differ from `from` and `to`. */
  readonly venueFrom?: string
  readonly venueTo?: string
  readonly route: Hex
  readonly amountIn: bigint
}

export const pathRoute = (...path: Hex[]): Hex => encodeAbiParameters([{ type: 'address[]' }], [path])
export const tierRoute = (fee: number): Hex => encodeAbiParameters([{ type: 'uint24' }], [fee])
export const poolRoute = (fee: number, tickSpacing: number): Hex =>
  encodeAbiParameters([{ type: 'uint24' }, { type: 'int24' }], [fee, tickSpacing])

/** Returns one trade for each kind of path through the fronts: plain, wrapped and unwrapped, over one pool and two. */
export function trades(token: (symbol: string) => Hex): Readonly<Record<string, Trade>> {
  const direct = pathRoute(CANONICAL.weth, token('USDG'))
  const back = pathRoute(token('USDG'), CANONICAL.weth)
  const twoHops = pathRoute(token('WBTC'), CANONICAL.weth, token('USDG'))
  const [ether, dollars] = [10n ** 18n, 2_500n * 10n ** 6n]
  return {
    'venue_a, WETH in': { venue: 'venue_a', from: 'WETH', to: 'USDG', route: direct, amountIn: ether },
    'venue_a, native in': {
      venue: 'venue_a',
      from: 'ETH',
      to: 'USDG',
      venueFrom: 'WETH',
      route: direct,
      amountIn: ether,
    },
    'venue_a, native out': {
      venue: 'venue_a',
      from: 'USDG',
      to: 'ETH',
      venueTo: 'WETH',
      route: back,
      amountIn: dollars,
    },
    'venue_a, two hops': { venue: 'venue_a', from: 'WBTC', to: 'USDG', route: twoHops, amountIn: 10n ** 7n },
    'venue_b, WETH in': {
      venue: 'venue_b',
      from: 'WETH',
      to: 'USDG',
      route: tierRoute(500),
      amountIn: ether,
    },
    'venue_b, native in': {
      venue: 'venue_b',
      from: 'ETH',
      to: 'USDG',
      venueFrom: 'WETH',
      route: tierRoute(3_000),
      amountIn: ether,
    },
    'venue_b, native out': {
      venue: 'venue_b',
      from: 'USDG',
      to: 'ETH',
      venueTo: 'WETH',
      route: tierRoute(500),
      amountIn: dollars,
    },
    'venue_e, native in': {
      venue: 'venue_e',
      from: 'ETH',
      to: 'USDG',
      route: poolRoute(500, 10),
      amountIn: ether,
    },
    'venue_e, native out': {
      venue: 'venue_e',
      from: 'USDG',
      to: 'ETH',
      route: poolRoute(3_000, 60),
      amountIn: dollars,
    },
    'venue_e, WETH in': {
      venue: 'venue_e',
      from: 'WETH',
      to: 'USDG',
      venueFrom: 'ETH',
      route: poolRoute(500, 10),
      amountIn: ether,
    },
    'venue_e, WETH out': {
      venue: 'venue_e',
      from: 'USDG',
      to: 'WETH',
      venueTo: 'ETH',
      route: poolRoute(500, 10),
      amountIn: dollars,
    },
    'venue_e, token to token': {
      venue: 'venue_e',
      from: 'USDG',
      to: 'DUSD',
      route: dollarPool(),
      amountIn: dollars,
    },
  }
}

/** Returns the one V4 pool of two tokens, neither of them the native coin. */
function dollarPool(): Hex {
  const pool = SINGLETON_POOLS.find(({ tokens }) => tokens[0] === 'USDG' && tokens[1] === 'DUSD')
  if (pool === undefined) throw new Error('the fixtures have no V4 pool of USDG and DUSD')
  return poolRoute(pool.fee, pool.tickSpacing)
}
