import { mulDivUp } from '../amounts/bps.ts'
import { type Marked, worthRatio, worthUp } from './marks.ts'

export const WEI_PER_ETH = 10n ** 18n

/** The prices available for expressing gas in the output token. */
export interface GasPrices {
  /** True if the input or output is ETH or WETH, which have the same value. */
  readonly inIsCoin: boolean
  readonly outIsCoin: boolean
  readonly swappedRaw: bigint
  /** The chain's own USD marks; null without a feed. */
  readonly eth: Marked | null
  readonly tokenIn: Marked | null
  readonly tokenOut: Marked | null
  /** Output in each token for one whole WETH; null when not requested. */
  readonly spotIn: bigint | null
  readonly spotOut: bigint | null
  /** The caller's mark of the output: the last resort, since a caller may send any value. */
  readonly callerOut: Marked | null
}

/**
 * Returns the gas cost in base units of the output, rounded up; null, never 0, when its price is unknown.
 *
 * @param gasWei the gas cost in wei.
 * @param amountOutRaw the output of the same venue for `swappedRaw`.
 */
export function gasCostRaw(gasWei: bigint, amountOutRaw: bigint, prices: GasPrices): bigint | null {
  const { eth, tokenIn, tokenOut, swappedRaw } = prices
  if (prices.outIsCoin) return gasWei
  if (eth && tokenOut) return worthUp(gasWei, eth, tokenOut)
  if (prices.inIsCoin) return mulDivUp(gasWei, amountOutRaw, swappedRaw)
  if (eth && tokenIn) {
    const { numerator, denominator } = worthRatio(eth, tokenIn)
    return mulDivUp(gasWei * numerator, amountOutRaw, denominator * swappedRaw)
  }
  if (prices.spotOut !== null) return mulDivUp(gasWei, prices.spotOut, WEI_PER_ETH)
  if (prices.spotIn !== null) return mulDivUp(gasWei * prices.spotIn, amountOutRaw, WEI_PER_ETH * swappedRaw)
  if (eth && prices.callerOut) return worthUp(gasWei, eth, prices.callerOut)
  return null
}
