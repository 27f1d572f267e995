import { divUp, mulDiv, mulDivUp, UINT256_MAX } from './result.ts'

const Q96 = 1n << 96n

/** Returns the amount of token 0 between two square-root prices (Q64.96) at `liquidity`: L × (b − a) / (a × b). */
export function getAmount0Delta(aX96: bigint, bX96: bigint, liquidity: bigint, roundUp: boolean): bigint {
  const [lower, upper] = aX96 < bX96 ? [aX96, bX96] : [bX96, aX96]
  const numerator = liquidity << 96n
  return roundUp
    ? divUp(mulDivUp(numerator, upper - lower, upper), lower)
    : mulDiv(numerator, upper - lower, upper) / lower
}

/** Returns the amount of token 1 between two square-root prices (Q64.96) at `liquidity`: L × (b − a). */
export function getAmount1Delta(aX96: bigint, bX96: bigint, liquidity: bigint, roundUp: boolean): bigint {
  const difference = aX96 < bX96 ? bX96 - aX96 : aX96 - bX96
  return roundUp ? mulDivUp(liquidity, difference, Q96) : mulDiv(liquidity, difference, Q96)
}

/**
 * Returns the square-root price (Q64.96) after an input of `amountIn`, rounded so that the pool never pays too much: up when
 * token 0 is sold, down when token 1 is.
 */
export function getNextSqrtPriceFromInput(
  sqrtPriceX96: bigint,
  liquidity: bigint,
  amountIn: bigint,
  zeroForOne: boolean,
): bigint {
  return zeroForOne
    ? afterAmount0(sqrtPriceX96, liquidity, amountIn)
    : sqrtPriceX96 + (amountIn << 96n) / liquidity
}

function afterAmount0(sqrtPriceX96: bigint, liquidity: bigint, amountIn: bigint): bigint {
  if (amountIn === 0n) return sqrtPriceX96
  const numerator = liquidity << 96n
  const product = amountIn * sqrtPriceX96
  const denominator = numerator + product
  // The contracts use a coarser formula where these two exceed 256 bits, so the rounding differs there.
  if (product <= UINT256_MAX && denominator <= UINT256_MAX) {
    return mulDivUp(numerator, sqrtPriceX96, denominator)
  }
  return divUp(numerator, numerator / sqrtPriceX96 + amountIn)
}
