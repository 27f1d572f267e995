import { type Direction, type ModelQuote, UINT256_MAX, type UnpricedReason } from './result.ts'

const RATE_PRECISION = 10n ** 18n
const FEE_DENOMINATOR = 10n ** 10n
const A_PRECISION = 100n
const COINS = 2n
const MAX_ROUNDS = 255

/** One pool of two coins on the Curve invariant. */
export interface StableSwapState {
  /** Base units of each coin. */
  readonly balances: readonly [bigint, bigint]
  /** The factor from a coin's base units to a value with 18 decimals, times 1e18. */
  readonly rates: readonly [bigint, bigint]
  /** A times 100. */
  readonly amplification: bigint
  /** Part of the output that stays in the pool, over 1e10. */
  readonly fee: bigint
}

/** Ends a calculation of this file without a price. */
class Unpriced extends Error {
  readonly reason: UnpricedReason
  constructor(reason: UnpricedReason) {
    super(reason)
    this.reason = reason
  }
}

/** Returns the pool's output for `amountIn`: Curve's `get_dy`. */
export function quoteExactIn(state: StableSwapState, direction: Direction, amountIn: bigint): ModelQuote {
  try {
    return { amountOut: getDy(state, direction, amountIn) }
  } catch (error) {
    if (error instanceof Unpriced) return { unpriced: error.reason }
    throw error
  }
}

/**
 * Returns the coins' total value at balance, by Newton's method: Curve's `get_D`. Zero for an empty pool.
 *
 * @throws {Unpriced} a step exceeds 256 bits, or the iteration does not converge.
 */
function getD(xp: readonly [bigint, bigint], amplification: bigint): bigint {
  const sum = xp[0] + xp[1]
  if (sum === 0n) return 0n
  const ann = amplification * COINS
  return iterate(sum, (d) => {
    const first = word(d * d) / (xp[0] * COINS)
    const product = word(first * d) / (xp[1] * COINS)
    const numerator = word(((ann * sum) / A_PRECISION + product * COINS) * d)
    return numerator / (((ann - A_PRECISION) * d) / A_PRECISION + (COINS + 1n) * product)
  })
}

/**
 * Returns the balance that the other coin must have when this one's is `x` and the invariant is `d`: Curve's `get_y`.
 *
 * @throws {Unpriced} a step exceeds 256 bits, or the iteration does not converge.
 */
function getY(x: bigint, d: bigint, amplification: bigint): bigint {
  const ann = amplification * COINS
  const squared = word(d * d) / (x * COINS)
  const c = word(squared * d * A_PRECISION) / (ann * COINS)
  const b = word(x + (d * A_PRECISION) / ann)
  return iterate(d, (y) => word(y * y + c) / (word(2n * y + b) - d))
}

function getDy(state: StableSwapState, direction: Direction, amountIn: bigint): bigint {
  if (amountIn === 0n) throw new Unpriced('zero-amount')
  const [i, j] = direction === 'zeroForOne' ? ([0, 1] as const) : ([1, 0] as const)
  const xpIn = (state.balances[i] * state.rates[i]) / RATE_PRECISION
  const xpOut = (state.balances[j] * state.rates[j]) / RATE_PRECISION
  if (xpIn === 0n || xpOut === 0n) throw new Unpriced('no-liquidity')
  const d = getD([xpIn, xpOut], state.amplification)
  const x = word(xpIn + word(amountIn * state.rates[i]) / RATE_PRECISION)
  const dy = xpOut - getY(x, d, state.amplification) - 1n
  // Curve's integers cannot go below zero: an input too small to move the invariant has no price.
  if (dy < 0n) throw new Unpriced('zero-output')
  const fee = word(state.fee * dy) / FEE_DENOMINATOR
  return word((dy - fee) * RATE_PRECISION) / state.rates[j]
}

function iterate(start: bigint, next: (value: bigint) => bigint): bigint {
  let value = start
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const previous = value
    value = next(previous)
    const difference = value - previous
    if (difference >= -1n && difference <= 1n) return value
  }
  throw new Unpriced('no-convergence')
}

/** Returns the number if it fits an unsigned 256-bit integer. @throws {Unpriced} it does not. */
function word(value: bigint): bigint {
  if (value < 0n || value > UINT256_MAX) throw new Unpriced('overflow')
  return value
}
