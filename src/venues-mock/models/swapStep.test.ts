import { describe, expect, it } from 'vitest'
import { getNextSqrtPriceFromInput } from './sqrtPriceMath.ts'
import { computeSwapStepV3, computeSwapStepV4 } from './swapStep.ts'

const ONE = 10n ** 18n
const PRICE_1_1 = 2n ** 96n
const PRICE_101_100 = 79623317895830914510639640423n
const PRICE_1000_100 = 250541448375047931186413801569n

/** Vectors of the published test suites of v3-core and v4-core. */
const capped = {
  sqrtPriceX96: PRICE_1_1,
  sqrtTargetX96: PRICE_101_100,
  liquidity: 2n * ONE,
  amountRemaining: ONE,
  feePips: 600n,
}
const spent = { ...capped, sqrtTargetX96: PRICE_1000_100 }
const targetOne = {
  sqrtPriceX96: 2n,
  sqrtTargetX96: 1n,
  liquidity: 1n,
  amountRemaining: 3915081100057732413702495386755767n,
  feePips: 1n,
}
const dust = {
  sqrtPriceX96: 2413n,
  sqrtTargetX96: 79887613182836312n,
  liquidity: 1985041575032132834610021537970n,
  amountRemaining: 10n,
  feePips: 1872n,
}

describe.each([
  ['v3', computeSwapStepV3],
  ['v4', computeSwapStepV4],
] as const)('computeSwapStep of %s', (_name, computeSwapStep) => {
  it('stops at the target when the input would go beyond', () => {
    expect(computeSwapStep(capped)).toEqual({
      sqrtNextX96: PRICE_101_100,
      amountIn: 9975124224178055n,
      amountOut: 9925619580021728n,
      feeAmount: 5988667735148n,
    })
  })

  it('spends the whole input short of the target', () => {
    const step = computeSwapStep(spent)
    expect(step).toMatchObject({
      amountIn: 999400000000000000n,
      amountOut: 666399946655997866n,
      feeAmount: 600000000000000n,
    })
    expect(step.sqrtNextX96).toBeLessThan(PRICE_1000_100)
  })

  it('takes a part of the input down to a price of one', () => {
    expect(computeSwapStep(targetOne)).toEqual({
      sqrtNextX96: 1n,
      amountIn: 39614081257132168796771975168n,
      amountOut: 0n,
      feeAmount: 39614120871253040049813n,
    })
  })
})

describe('the split of an input too small to move the price', () => {
  it('is all fee in v3', () => {
    expect(computeSwapStepV3(dust)).toEqual({
      sqrtNextX96: 2413n,
      amountIn: 0n,
      amountOut: 0n,
      feeAmount: 10n,
    })
  })

  it('keeps the input less fee in v4', () => {
    expect(computeSwapStepV4(dust)).toEqual({
      sqrtNextX96: 2413n,
      amountIn: 9n,
      amountOut: 0n,
      feeAmount: 1n,
    })
  })
})

describe('getNextSqrtPriceFromInput', () => {
  it.each([
    ['0.1 of token 1', PRICE_1_1, ONE, ONE / 10n, false, 87150978765690771352898345369n],
    ['0.1 of token 0', PRICE_1_1, ONE, ONE / 10n, true, 72025602285694852357767227579n],
    ['more than uint96 of token 0', PRICE_1_1, 10n * ONE, 2n ** 100n, true, 624999999995069620n],
    ['half of uint256 of token 0', PRICE_1_1, 1n, (2n ** 256n - 1n) / 2n, true, 1n],
    ['an input whose product with the price leaves 256 bits', 1n, 1n, 2n ** 255n, true, 1n],
    [
      'the greatest input the coarse formula can hold',
      2n ** 160n - 1n,
      2n ** 128n - 1n,
      2n ** 256n - 1n - ((2n ** 128n - 1n) << 96n) / (2n ** 160n - 1n),
      true,
      1n,
    ],
    ['nothing', PRICE_1_1, ONE, 0n, true, PRICE_1_1],
  ])('gives the published price for %s', (_what, price, liquidity, amountIn, zeroForOne, next) => {
    expect(getNextSqrtPriceFromInput(price, liquidity, amountIn, zeroForOne)).toBe(next)
  })
})
