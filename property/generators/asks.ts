import fc from 'fast-check'
import { OTHER_TOKENS, REGISTRY, type TokenSymbol } from '../../src/fixtures/tokens.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { GeneratedSwap } from '../generatedSwap.ts'

/** Pairs with the amount that moves their pools by about half, in base units of the input. Both directions are generated. */
const PAIRS: readonly {
  readonly pair: readonly [TokenSymbol, TokenSymbol]
  readonly deepRaw: readonly [bigint, bigint]
  readonly weight: number
}[] = [
  { pair: ['USDG', 'DUSD'], deepRaw: [10n ** 12n, 10n ** 24n], weight: 6 },
  { pair: ['ETH', 'USDG'], deepRaw: [5n * 10n ** 20n, 10n ** 12n], weight: 6 },
  { pair: ['WETH', 'USDG'], deepRaw: [5n * 10n ** 20n, 10n ** 12n], weight: 3 },
  { pair: ['ETH', 'LSETH'], deepRaw: [10n ** 21n, 10n ** 21n], weight: 2 },
  { pair: ['WETH', 'LSETH'], deepRaw: [10n ** 21n, 10n ** 21n], weight: 1 },
  { pair: ['WBTC', 'USDG'], deepRaw: [10n ** 10n, 10n ** 12n], weight: 2 },
  { pair: ['WBTC', 'ETH'], deepRaw: [10n ** 10n, 10n ** 21n], weight: 1 },
  { pair: ['HOOD', 'USDG'], deepRaw: [10n ** 22n, 10n ** 11n], weight: 1 },
  { pair: ['GOLD', 'USDG'], deepRaw: [10n ** 20n, 10n ** 11n], weight: 1 },
  { pair: ['VOID', 'USDG'], deepRaw: [10n ** 20n, 10n ** 11n], weight: 1 },
  { pair: ['ETH', 'WETH'], deepRaw: [10n ** 20n, 10n ** 20n], weight: 1 },
  { pair: ['ETH', 'EIGHTEEN'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 2 },
  { pair: ['WETH', 'EIGHTEEN'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'SIX'], deepRaw: [10n ** 20n, 10n ** 11n], weight: 2 },
  { pair: ['SIX', 'EIGHTEEN'], deepRaw: [10n ** 11n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'ZERO'], deepRaw: [10n ** 20n, 50_000n], weight: 2 },
  { pair: ['BIG', 'USDG'], deepRaw: [10n ** 32n, 10n ** 11n], weight: 2 },
  { pair: ['EIGHTEEN', 'USDG'], deepRaw: [10n ** 23n, 10n ** 11n], weight: 1 },
  { pair: ['ETH', 'MUTE'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'BLOCKER'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'TAXED'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'FALSY'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['ETH', 'ONLY_B'], deepRaw: [10n ** 20n, 10n ** 23n], weight: 1 },
  { pair: ['WETH', 'ONLY_C'], deepRaw: [10n ** 19n, 10n ** 22n], weight: 1 },
  { pair: ['USDG', 'ONLY_D'], deepRaw: [10n ** 11n, 10n ** 23n], weight: 1 },
  { pair: ['WETH', 'ONLY_E'], deepRaw: [10n ** 18n, 10n ** 9n], weight: 1 },
  { pair: ['ONLY_F', 'USDG'], deepRaw: [10n ** 22n, 10n ** 10n], weight: 1 },
]

const TOKENS = { ...REGISTRY, ...OTHER_TOKENS }
const isOutside = (symbol: TokenSymbol): boolean => Object.hasOwn(OTHER_TOKENS, symbol)

/** Returns base units as the JSON number that a client would write. */
function human(raw: bigint, decimals: number): number {
  return Number(`${raw}e-${decimals}`)
}

interface Way {
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly deepRaw: bigint
}

const ways: fc.Arbitrary<Way> = fc.oneof(
  ...PAIRS.flatMap(({ pair: [one, other], deepRaw, weight }) => [
    { weight, arbitrary: fc.constant({ from: one, to: other, deepRaw: deepRaw[0] }) },
    { weight, arbitrary: fc.constant({ from: other, to: one, deepRaw: deepRaw[1] }) },
  ]),
)

/** Relevant amounts, edge cases before ordinary ones. */
function amounts({ from, deepRaw }: Way, decimals: number): fc.Arbitrary<number> {
  const { traderRaw } = TOKENS[from]
  const balanceRaw = from === 'ETH' ? 9_990n * 10n ** 18n : traderRaw
  const share = (parts: fc.Arbitrary<bigint>) =>
    parts.map((part) => human((deepRaw * part) / 10n ** 9n || 1n, decimals))
  const unit = human(1n, decimals)
  return fc.oneof(
    { weight: 6, arbitrary: share(fc.bigInt({ min: 1n, max: 10n ** 7n })) },
    { weight: 5, arbitrary: share(fc.bigInt({ min: 10n ** 7n, max: 10n ** 9n })) },
    // All orders of magnitude, down to a few base units.
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.integer({ min: 0, max: String(deepRaw).length - 1 }), fc.integer({ min: 1, max: 99 }))
        .map(([zeros, digits]) => human(BigInt(digits) * 10n ** BigInt(zeros), decimals)),
    },
    { weight: 2, arbitrary: fc.constantFrom(1n, 2n, 3n, 9_999n, 10_001n).map((raw) => human(raw, decimals)) },
    { weight: 1, arbitrary: fc.constantFrom(unit / 2, unit * 0.999) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        0.1 + 0.2,
        1 / 3,
        1.0000000000000002,
        0.57,
        1.005,
        4.35,
        9.95,
        1.9999999999999998,
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n)
        .map((raw) => human(raw, decimals)),
    },
    { weight: 1, arbitrary: fc.constantFrom(1e-7, 1.5e-10, 1e21, 3e22, 1.25e-5) },
    { weight: 1, arbitrary: fc.constantFrom(1.123456789, 12.3456789012345, 0.1234567890123) },
    { weight: 1, arbitrary: fc.constantFrom(balanceRaw, balanceRaw + 1n).map((raw) => human(raw, decimals)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(2n, 7n, 1_000n).map((times) => human(deepRaw * times, decimals)),
    },
  )
}

const rarely = <Value>(values: fc.Arbitrary<Value>, oneIn: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })

const slippages = fc.option(
  fc.oneof(fc.constantFrom(0, 1, 50, 4_999, 5_000), fc.integer({ min: 0, max: 5_000 })),
  { nil: undefined },
)
const fees = fc.option(
  fc.record({
    bps: fc.oneof(fc.constantFrom(0, 1, 50), fc.integer({ min: 0, max: 50 })),
    to: fc.constantFrom('partnerOne' as const, 'partnerTwo' as const),
  }),
  { nil: undefined, freq: 3 },
)
/** USD marks: rarely present, and often absurd. */
const usdMarks = rarely(fc.constantFrom(1, 2_500, 0.9999, 1e-12, 1e15, 5e-324, 1.7e308), 6)

/** Claimed decimals of a token outside the registry: seldom the true ones, as any claim is legal. */
const claims = (symbol: TokenSymbol): fc.Arbitrary<number | undefined> =>
  isOutside(symbol)
    ? fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(0, 36, 1, 17, 35) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 36 }) },
      )
    : fc.constant(undefined)

interface Bias {
  readonly senders?: fc.Arbitrary<GeneratedSwap['sender']>
  readonly forced?: number
}

/** Requested swaps of every kind, each valid by §4.1. */
export function asks({ senders, forced = 8 }: Bias = {}): fc.Arbitrary<GeneratedSwap> {
  return ways.chain((way) =>
    fc.tuple(claims(way.from), claims(way.to)).chain(([fromDecimals, toDecimals]) =>
      fc
        .record({
          amount: amounts(way, fromDecimals ?? TOKENS[way.from].decimals),
          slippageBps: slippages,
          fee: fees,
          preferEngine: rarely(fc.constantFrom(...VENUE_IDS), forced),
          fromPriceUsd: usdMarks,
          toPriceUsd: usdMarks,
          sender: senders ?? rarely(fc.constantFrom('alice' as const, 'unfunded' as const), 6),
        })
        .map(
          (rest) =>
            JSON.parse(
              JSON.stringify({ from: way.from, to: way.to, ...rest, fromDecimals, toDecimals }),
            ) as GeneratedSwap,
        ),
    ),
  )
}
