import fc from 'fast-check'
import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import type { SwapAsk } from '../src/harness/swapFacts.ts'

/** Pairs that at least one venue prices, with a size in whole tokens that moves its pools by about half. */
const PAIRS = [
  { from: 'USDG', to: 'DUSD', large: 1_000_000 },
  { from: 'DUSD', to: 'USDG', large: 1_000_000 },
  { from: 'ETH', to: 'USDG', large: 500 },
  { from: 'USDG', to: 'ETH', large: 1_000_000 },
  { from: 'WETH', to: 'USDG', large: 500 },
  { from: 'ETH', to: 'LSETH', large: 300 },
  { from: 'LSETH', to: 'ETH', large: 300 },
  { from: 'WBTC', to: 'USDG', large: 10 },
  { from: 'HOOD', to: 'USDG', large: 1_000 },
  { from: 'EIGHTEEN', to: 'WETH', large: 1_000 },
  { from: 'ETH', to: 'SIX', large: 10 },
] as const

/** Pairs without a venue of which both USD marks are known. */
const MARKET_PAIRS = [
  { from: 'GOLD', to: 'USDG' },
  { from: 'USDG', to: 'GOLD' },
  { from: 'ETH', to: 'GOLD' },
] as const

/** Amounts as people and programs send them: round, long, tiny, with an exponent, and near the pool's depth. */
const amounts = (large: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 99_999 }).map((n) => (n / 100_000) * large * 0.01) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 1_000 }).map((n) => (n / 1_000) * large) },
    { weight: 1, arbitrary: fc.constantFrom(0.1 + 0.2, 1 / 3, 0.57, 1.9999999, 1e-5, 123456.789e-3) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 1_000_000) },
  )

const slippageBps = fc.oneof(fc.constantFrom(0, 1, 50, 4999, 5000), fc.integer({ min: 0, max: 5000 }))

const partnerFee = fc
  .oneof(fc.constantFrom(0, 1, 50), fc.integer({ min: 0, max: 50 }))
  .map((feeBps) =>
    feeBps === 0 ? {} : { partnerFeeBps: feeBps, partnerFeeRecipient: ACCOUNTS.partnerTwo.address },
  )

/** Swaps that a venue can price, unless the amount is more than every pool can take or too small to buy anything. */
export const asks: fc.Arbitrary<SwapAsk> = fc
  .constantFrom(...PAIRS)
  .chain(({ from, to, large }) =>
    fc
      .record({ amount: amounts(large), slippageBps, fee: partnerFee })
      .map(({ amount, slippageBps: slippage, fee }) => ({ from, to, amount, slippageBps: slippage, ...fee })),
  )

/** Swaps that only the market can estimate. */
export const marketAsks: fc.Arbitrary<SwapAsk> = fc
  .constantFrom(...MARKET_PAIRS)
  .chain(({ from, to }) =>
    fc
      .record({ amount: amounts(100), slippageBps, fee: partnerFee })
      .map(({ amount, slippageBps: slippage, fee }) => ({ from, to, amount, slippageBps: slippage, ...fee })),
  )

/** The classes that an input belongs to, for the coverage floors. */
export function labelsOf(ask: SwapAsk): readonly string[] {
  const slippage = ask.slippageBps ?? 50
  return [
    ask.partnerFeeBps === undefined ? 'fee-none' : ask.partnerFeeBps === 50 ? 'fee-max' : 'fee-some',
    slippage === 0 ? 'slippage-zero' : slippage === 5000 ? 'slippage-max' : 'slippage-some',
    ask.from === 'ETH' ? 'native-in' : ask.to === 'ETH' ? 'native-out' : 'erc20',
  ]
}
