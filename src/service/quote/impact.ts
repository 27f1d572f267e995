import { ratioBps } from '../amounts/bps.ts'
import { type Marked, worthRatio } from './marks.ts'

/**
 * Returns the §2.2 `priceImpactBps`: the loss in bps of the value of `swappedRaw`, at the USD marks; never negative, and 0 when
 * a mark is missing.
 */
export function priceImpactBps(
  swappedRaw: bigint,
  amountOutRaw: bigint,
  tokenIn: Marked | null,
  tokenOut: Marked | null,
): number {
  if (tokenIn === null || tokenOut === null) return 0
  const { numerator, denominator } = worthRatio(tokenIn, tokenOut)
  const fair = swappedRaw * numerator
  const lost = fair - amountOutRaw * denominator
  return lost <= 0n ? 0 : ratioBps(lost, fair)
}
