import { mulDivUp } from '../amounts/bps.ts'
import { type Marked, worthRatio, worthUp } from './marks.ts'

/** Base units of the native coin per whole coin. */
export const WEI_PER_ETH = 10n ** 18n

/** What is known of prices when gas has to be expressed in the output token. */
export interface GasPrices {
  /** ETH and WETH cost the same. */
  readonly inIsCoin: boolean
  readonly outIsCoin: boolean
  readonly swappedRaw: bigint
  /** The chain's own marks; null: none. */
  readonly eth: Marked | null
  readonly tokenIn: Marked | null
  readonly tokenOut: Marked | null
  /** What one whole WETH brings of each token, when it was asked. */
  readonly spotIn: bigint | null
  readonly spotOut: bigint | null
  /** The caller's mark of the output: the last resort, since a caller may send any. */
  readonly callerOut: Marked | null
}

/**
 * Gas in base units of the output, rounded up; null when nothing tells its price: an unknown price must not become 0.
 *
 * @param gasWei the gas cost in wei.
 * @param amountOutRaw what the venue whose gas it is would pay for `swappedRaw`.
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
