import type { Route } from '../spec/wire.ts'
import { exactOfDouble } from './decimal.ts'
import {
  add,
  approximate,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  ZERO,
} from './rational.ts'
import { judge, type Verdict } from './verdict.ts'

export interface ImpactFacts {
  readonly route: Route
  readonly totalFeeBps: number
  /** The USD marks that hold for this answer: the caller's, or those of the price feeds. */
  readonly fromPriceUsd: number
  readonly toPriceUsd: number
}

/**
 * Judges `priceImpactBps` against USD marks (§2.2): how far the worth of the output lies below that of the input, in
 * bps, a gain as 0. Whether the input counts before or after the partner fee is not shown, so anything between the two
 * conforms, and so does rounding to whole bps: one bp on either side.
 *
 * Not judged: answers for which a mark is missing.
 */
export function judgeImpact({ route, totalFeeBps, fromPriceUsd, toPriceUsd }: ImpactFacts): Verdict {
  const worthIn = multiply(exactOfDouble(route.amountIn), exactOfDouble(fromPriceUsd))
  const worthOut = multiply(exactOfDouble(route.amountOut), exactOfDouble(toPriceUsd))
  const afterFee = multiply(worthIn, rational(10_000n - BigInt(totalFeeBps), 10_000n))
  const least = subtract(impactBps(afterFee, worthOut), rational(1n))
  const most = add(impactBps(worthIn, worthOut), rational(1n))
  const seen = exactOfDouble(route.priceImpactBps)
  return judge('route.price-impact.against-mark', compare(least, seen) <= 0 && compare(seen, most) <= 0, {
    expected: `${approximate(least, 3)} to ${approximate(most, 3)}`,
    seen: route.priceImpactBps,
    note: `${route.amountIn} at ${fromPriceUsd} USD for ${route.amountOut} at ${toPriceUsd} USD`,
    boundaryClasses: [compare(worthOut, worthIn) > 0 ? 'gain' : 'loss'],
  })
}

function impactBps(worthIn: Rational, worthOut: Rational): Rational {
  if (worthIn.numerator === 0n) return ZERO
  const impact = multiply(divide(subtract(worthIn, worthOut), worthIn), rational(10_000n))
  return compare(impact, ZERO) < 0 ? ZERO : impact
}
