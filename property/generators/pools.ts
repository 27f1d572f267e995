import fc from 'fast-check'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { PoolSetup, PoolStep } from '../pools.ts'

type StepOf<Kind extends PoolStep['do']> = Extract<PoolStep, { do: Kind }>

/** Pairs of the pools that can be moved, by venue. */
const POOLS: Readonly<Record<VenueId, readonly (readonly [string, string])[]>> = {
  venue_a: [
    ['ETH', 'USDG'],
    ['USDG', 'DUSD'],
    ['WETH', 'WBTC'],
    ['WETH', 'SIX'],
    ['WETH', 'EIGHTEEN'],
    ['WETH', 'ZERO'],
    ['WETH', 'LSETH'],
  ],
  venue_b: [
    ['ETH', 'USDG'],
    ['USDG', 'DUSD'],
    ['WETH', 'EIGHTEEN'],
  ],
  venue_c: [
    ['ETH', 'USDG'],
    ['DUSD', 'USDG'],
    ['EIGHTEEN', 'WETH'],
  ],
  venue_d: [
    ['USDG', 'DUSD'],
    ['WETH', 'LSETH'],
  ],
  venue_e: [
    ['ETH', 'USDG'],
    ['USDG', 'DUSD'],
    ['ETH', 'SIX'],
  ],
  venue_f: [
    ['WETH', 'USDG'],
    ['DUSD', 'USDG'],
    ['HOOD', 'USDG'],
  ],
}
/** Books of venue_c: current price in base units of `quote` per base unit of `base`, times 1e36, and a usual size. */
const BOOKS = [
  { base: 'WETH', quote: 'USDG', price: 25n * 10n ** 26n, size: 10n ** 19n },
  { base: 'DUSD', quote: 'USDG', price: 10n ** 24n, size: 10n ** 22n },
  { base: 'EIGHTEEN', quote: 'WETH', price: 4n * 10n ** 32n, size: 10n ** 22n },
] as const
const MAKER = [
  { base: 'WETH', quote: 'USDG', price: 25n * 10n ** 26n },
  { base: 'DUSD', quote: 'USDG', price: 10n ** 24n },
  { base: 'HOOD', quote: 'USDG', price: 35n * 10n ** 24n },
] as const
const STABLE = [
  { tokens: ['USDG', 'DUSD'], unitsRaw: [10n ** 6n, 10n ** 18n] },
  { tokens: ['WETH', 'LSETH'], unitsRaw: [10n ** 18n, 10n ** 18n] },
] as const

/** Price moves in percent, up to several thousandfold: most are small, because prices are usually close to each other. */
const percents = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0.0001, 0.01, 0.05, 0.3, 1) },
  { weight: 3, arbitrary: fc.constantFrom(5, 20, 50, 200) },
  { weight: 2, arbitrary: fc.constantFrom(1_500, 20_000, 500_000) },
)

const shift: fc.Arbitrary<PoolStep> = fc.constantFrom(...VENUE_IDS).chain((venue) =>
  fc
    .record({
      pair: fc.constantFrom(...POOLS[venue]),
      turned: fc.boolean(),
      against: fc.constantFrom('seller', 'buyer') as fc.Arbitrary<'seller' | 'buyer'>,
      percent: percents,
    })
    .map(({ pair: [one, other], turned, against, percent }) => ({
      do: 'shift' as const,
      venue,
      ...(turned ? { sell: other, buy: one } : { sell: one, buy: other }),
      against,
      percent,
    })),
)

/** Levels of increasing distance from the price; some hold almost nothing, and a side may be empty. */
const side = (price: bigint, size: bigint, upwards: boolean) =>
  fc
    .array(
      fc.record({
        apartBps: fc.integer({ min: 1, max: 400 }),
        share: fc.constantFrom(1n, 1_000n, 10n ** 9n, size / 1_000n, size / 10n, size, 4n * size),
      }),
      { maxLength: 5 },
    )
    .map((levels) => {
      let at = price
      return levels.map(({ apartBps, share }): [string, string] => {
        const step = (at * BigInt(apartBps)) / 10_000n
        at = upwards ? at + step : at - step
        return [String(at), String(share)]
      })
    })

const levels: fc.Arbitrary<PoolStep> = fc
  .constantFrom(...BOOKS)
  .chain(({ base, quote, price, size }) =>
    fc
      .record({ asks: side(price, size, true), bids: side(price, size, false) })
      .map(({ asks, bids }): StepOf<'levels'> => ({ do: 'levels', base, quote, asks, bids })),
  )

const makerPrice: fc.Arbitrary<PoolStep> = fc
  .record({
    of: fc.constantFrom(...MAKER),
    factorBps: fc.constantFrom(1n, 5_000n, 9_990n, 9_999n, 10_001n, 10_020n, 20_000n, 10_000_000n),
    spreadBps: fc.constantFrom(0, 1, 12, 500, 9_999),
  })
  .map(({ of: { base, quote, price }, factorBps, spreadBps }) => ({
    do: 'maker-price' as const,
    base,
    quote,
    price: String((price * factorBps) / 10_000n),
    spreadBps,
  }))

const stable: fc.Arbitrary<PoolStep> = fc
  .record({
    of: fc.constantFrom(...STABLE),
    turned: fc.boolean(),
    act: fc.constantFrom('donate', 'withdraw') as fc.Arbitrary<'donate' | 'withdraw'>,
    whole: fc.constantFrom(1n, 900n, 2_500n, 1_500_000n, 2_999_999n),
  })
  .map(({ of: { tokens, unitsRaw }, turned, act, whole }) => {
    const [token, other, unit] = turned
      ? [tokens[1], tokens[0], unitsRaw[1]]
      : [tokens[0], tokens[1], unitsRaw[0]]
    return { do: act, token, other, amountRaw: String(whole * unit) }
  })

/** Venue faults. Those that burn all their gas are rare, because they are slow. */
const faults: fc.Arbitrary<StepOf<'fault'>> = fc.record({
  do: fc.constant('fault' as const),
  venue: fc.constantFrom(...VENUE_IDS),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('no-liquidity' as const) },
    { weight: 3, arbitrary: fc.constant('revert-on-quote' as const) },
    { weight: 3, arbitrary: fc.constant('nonsense-on-quote' as const) },
    { weight: 1, arbitrary: fc.constant('burn-gas-on-quote' as const) },
  ),
  value: fc.integer({ min: 0, max: 3 }),
})

/** Faults that show only in a swap. */
const swapFaults: fc.Arbitrary<StepOf<'fault'>> = fc.record({
  do: fc.constant('fault' as const),
  venue: fc.constantFrom(...VENUE_IDS),
  kind: fc.constantFrom('revert-on-swap' as const, 'move-on-swap' as const),
  value: fc.constantFrom(1, 40, 51, 300, 4_000, 9_000),
})

const mark: fc.Arbitrary<PoolStep> = fc.record({
  do: fc.constant('mark' as const),
  token: fc.constantFrom('ETH', 'USDG', 'DUSD', 'LSETH', 'WBTC', 'HOOD', 'GOLD'),
  answer: fc.constantFrom<number | 'none'>('none', 'none', 0, -1, 1, 99_000_000, 2 ** 53 - 1),
})

const baseFee: fc.Arbitrary<PoolStep> = fc
  .constantFrom(0.1, 30, 500, 20_000)
  .map((gwei) => ({ do: 'base-fee' as const, gwei }))

const wait: fc.Arbitrary<PoolStep> = fc
  .constantFrom(1, 3_600, 86_399, 86_402)
  .map((seconds) => ({ do: 'wait' as const, seconds }))

const upTo = (maxLength: number, step: fc.Arbitrary<PoolStep>) => fc.array(step, { maxLength })
/** Usually returns no step, and one in `oneIn` times some. */
const sometimes = (oneIn: number, maxLength: number, step: fc.Arbitrary<PoolStep>) =>
  fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength }) },
  )

/** Pools in any state: as deployed, or moved, emptied, repriced, broken; with any gas price and marks. */
export const poolSetups: fc.Arbitrary<PoolSetup> = fc
  .tuple(
    upTo(4, fc.oneof({ weight: 5, arbitrary: shift }, { weight: 2, arbitrary: levels }, makerPrice, stable)),
    sometimes(3, 3, faults),
    sometimes(4, 2, mark),
    sometimes(4, 1, wait),
    sometimes(3, 1, baseFee),
  )
  .map((parts) => parts.flat())

/** Pools in which swaps can be made: no gas price that a sender of the world cannot pay. */
export const calmPools: fc.Arbitrary<PoolSetup> = fc
  .tuple(
    upTo(3, fc.oneof({ weight: 5, arbitrary: shift }, { weight: 2, arbitrary: levels }, makerPrice, stable)),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(swapFaults, { minLength: 1, maxLength: 4 }) },
      { weight: 1, arbitrary: upTo(3, faults) },
    ),
    sometimes(5, 1, mark),
  )
  .map((parts) => parts.flat())
