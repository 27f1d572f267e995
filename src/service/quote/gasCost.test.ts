import { describe, expect, test } from 'vitest'
import { type GasPrices, gasCostRaw } from './gasCost.ts'
import { callerMark, feedMark, type Marked } from './marks.ts'

const usd = (price: number, decimals: number): Marked => {
  const mark = callerMark(price)
  if (mark === null) throw new Error('a price must be positive')
  return { mark, decimals }
}
const NOTHING: GasPrices = {
  inIsCoin: false,
  outIsCoin: false,
  swappedRaw: 1_000n,
  eth: null,
  tokenIn: null,
  tokenOut: null,
  spotIn: null,
  spotOut: null,
  callerOut: null,
}
const GAS_WEI = 100_000_000_000_001n

describe('gas is expressed in the output, rounded up', () => {
  test.each<[string, Partial<GasPrices>, bigint | null]>([
    ['the output is the coin itself', { outIsCoin: true, eth: usd(2500, 18), tokenOut: usd(1, 18) }, GAS_WEI],
    ['both have marks: 0.25 USD and a wei', { eth: usd(2500, 18), tokenOut: usd(1, 6) }, 250_001n],
    ['a token without decimals still costs one', { eth: usd(2500, 18), tokenOut: usd(35, 0) }, 1n],
    ['the trade itself sells the coin', { inIsCoin: true, swappedRaw: 10n ** 18n }, 1n],
    ['the input has a mark: 0.25 USD of 1000 for 9', { eth: usd(2500, 18), tokenIn: usd(1, 0) }, 1n],
    ['one WETH brings 2500 of the output', { spotOut: 2_500_000_000n, spotIn: 1n }, 250_001n],
    ['one WETH brings 10^20 of the input', { spotIn: 10n ** 20n }, 90_000_000_000_001n],
    ['the mark that the caller sent', { eth: usd(2500, 18), callerOut: usd(2, 6) }, 125_001n],
    ['nothing tells, and that is not zero', {}, null],
    ['a mark of the output alone tells nothing', { tokenOut: usd(1, 6) }, null],
  ])('%s', (_name, known, expected) => {
    expect(gasCostRaw(GAS_WEI, 9n, { ...NOTHING, ...known })).toBe(expected)
  })

  test('the mark of the chain goes before the mark of the caller', () => {
    const prices = { ...NOTHING, eth: usd(2500, 18), tokenOut: usd(1, 6), callerOut: usd(1_000_000, 6) }
    expect(gasCostRaw(10n ** 18n, 1n, prices)).toBe(2_500_000_000n)
  })
})

describe('marks', () => {
  test.each([
    [null, null],
    [2500, { numerator: 2500n, denominator: 1n }],
    [0.1, { numerator: 1n, denominator: 10n }],
    [1e-7, { numerator: 1n, denominator: 10_000_000n }],
    [1e21, { numerator: 10n ** 21n, denominator: 1n }],
  ])('callerMark(%d)', (price, mark) => {
    expect(callerMark(price)).toEqual(mark)
  })

  test('feedMark', () => {
    expect(feedMark(250_000_000_000n)).toEqual({ numerator: 250_000_000_000n, denominator: 100_000_000n })
    expect(feedMark(null)).toBe(null)
  })
})
