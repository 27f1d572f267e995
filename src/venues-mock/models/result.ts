/** The direction of a swap: `zeroForOne` sells token 0 and buys token 1. */
export type Direction = 'zeroForOne' | 'oneForZero'

/**
 * The reason why a pool has no price for an amount. `zero-amount`: nothing to sell; `zero-output`: the amount is too small to
 * buy one base unit; `no-pool`: no pool trades this pair; `no-liquidity`: the pool is empty; `not-enough-liquidity`: it cannot
 * take the whole amount or pay the whole output; `overflow`: the contract's integers cannot hold a step of the calculation;
 * `no-convergence`: Newton's method did not converge; `stale-price`: the maker's own price is too old; `faulty`: the venue's
 * fault stops it from quoting.
 */
export type UnpricedReason =
  | 'zero-amount'
  | 'zero-output'
  | 'no-pool'
  | 'no-liquidity'
  | 'not-enough-liquidity'
  | 'overflow'
  | 'no-convergence'
  | 'stale-price'
  | 'faulty'

/** A pool's output for an exact input, in base units, or the reason why it has none. */
export type ModelQuote = { readonly amountOut: bigint } | { readonly unpriced: UnpricedReason }

export const UINT256_MAX = 2n ** 256n - 1n

/** Returns floor(a × b / c). */
export function mulDiv(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b) / c
}

/** Returns ceil(a × b / c), for non-negative operands. */
export function mulDivUp(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b + c - 1n) / c
}

/** Returns ceil(a / b), for non-negative operands. */
export function divUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
