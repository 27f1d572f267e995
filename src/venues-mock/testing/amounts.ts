import { hexToBigInt, keccak256, stringToHex } from 'viem'
import type { ModelRoute } from '../models/venue.ts'

const UINT256 = 2n ** 256n
const GREATEST_DEPTH_BITS = 250

/** Inputs at the limits of the contracts' integers, for any pool. */
const EDGES: readonly bigint[] = [
  1n,
  2n,
  3n,
  10n,
  99n,
  1_000n,
  999_999n,
  10n ** 12n,
  2n ** 112n - 1n,
  2n ** 112n,
  2n ** 127n - 1n,
  2n ** 127n,
  2n ** 128n - 1_000_000n,
  2n ** 128n - 1n,
  2n ** 128n,
  2n ** 160n,
  2n ** 255n - 1n,
  2n ** 255n,
  UINT256 - 1n,
]

/**
 * Returns inputs for comparing a route's model with the chain: the limits of the integers; the numbers of the pools' own state,
 * such as a whole reserve, and their neighbours; the amounts around the depth of the route and around the greatest priced one;
 * and as many more as fill up `count`, spread evenly over the orders of magnitude. Equal labels give equal inputs.
 */
export function agreementAmounts(label: string, model: ModelRoute, state: unknown, count: number): bigint[] {
  const depth = depthOf(model)
  const landmarks = numbersIn(state).filter((value) => value <= 4n * depth)
  const special = [...landmarks, depth, greatestPriced(model, depth)].flatMap((value) => [
    value - 1n,
    value,
    value + 1n,
  ])
  const fixed = [...new Set([...EDGES, ...special, 100n * depth])].filter(
    (value) => value > 0n && value < UINT256,
  )
  return [...fixed, ...drawnAmounts(label, depth, Math.max(0, count - fixed.length))]
}

/** Returns `count` inputs up to twice `most`, spread evenly over the orders of magnitude; always the same for one `label`. */
export function drawnAmounts(label: string, most: bigint, count: number): bigint[] {
  const bits = BigInt(most.toString(2).length)
  return Array.from({ length: count }, (_, index) => {
    const word = hexToBigInt(keccak256(stringToHex(`${label} ${index}`)))
    // Picks a width first, then the digits: small inputs are as frequent as great ones.
    const width = 1n + (word % bits)
    return (word >> 64n) % 2n ** width || 1n
  })
}

/** Returns the approximate depth of a route: the power of two from which doubling the input adds little output, or has no price. */
export function depthOf(model: ModelRoute): bigint {
  let amountIn = 1n
  for (let bits = 0; bits < GREATEST_DEPTH_BITS; bits++) {
    const [once, twice] = [model.quoteExactIn(amountIn), model.quoteExactIn(2n * amountIn)]
    // An input too small to buy a base unit does not count.
    const pays = 'amountOut' in once && once.amountOut > 0n
    if (pays && ('unpriced' in twice || 4n * twice.amountOut < 5n * once.amountOut)) break
    amountIn *= 2n
  }
  return amountIn
}

/** Returns the largest input that the model prices, to check that the chain has the same limit. */
function greatestPriced(model: ModelRoute, priced: bigint): bigint {
  let low = priced
  let high = 2n * priced
  while ('amountOut' in model.quoteExactIn(high)) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if ('amountOut' in model.quoteExactIn(middle)) low = middle
    else high = middle
  }
  return low
}

/** Returns every bigint anywhere inside a value. */
function numbersIn(value: unknown): bigint[] {
  if (typeof value === 'bigint') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(numbersIn)
}
