import type { Route } from '../../spec/wire.ts'
import { exactOfDouble } from '../amounts/decimal.ts'
import { feeOf } from '../amounts/fee.ts'
import {
  add,
  approximate,
  compare,
  divide,
  multiply,
  type Rational,
  rational,
  subtract,
  within,
  ZERO,
} from '../amounts/rational.ts'
import { following, judge, type Verdict } from '../verdict.ts'

const SLACK_BPS = 100n

/** USD value of one whole token of each side, by the caller's marks or by the price feeds. */
export interface UsdMarks {
  readonly fromPriceUsd: number
  readonly toPriceUsd: number
}

/** The numbers of a route that its impact is judged by. */
type ImpactRoute = Pick<Route, 'amountIn' | 'amountOut' | 'priceImpactBps'>

export interface ImpactFacts extends UsdMarks {
  readonly route: ImpactRoute
  readonly sale: Sale
}

/** The amount sold, in base units, and the partner fee of the request. */
export interface Sale {
  readonly amountInRaw: bigint
  readonly feeBps: number
}

/**
 * Judges `priceImpactBps` against USD marks (§2.2): the loss of value from input to output in bps, a gain as 0. It is not shown
 * whether the input counts before or after the partner fee, which of the two values is the base, or whether the fee is exact,
 * cut to base units or rounded up. Each reading conforms, within 1 bps by convention, for rounding to whole bps; this covers
 * the loss in doubles, about 10^-12 bps. The allowed age of a mark is not shown, so the must demands only the magnitude.
 *
 * Not judged: responses for which a mark is missing.
 */
export function judgeImpact({ route, sale, fromPriceUsd, toPriceUsd }: ImpactFacts): readonly Verdict[] {
  const worthIn = multiply(exactOfDouble(route.amountIn), exactOfDouble(fromPriceUsd))
  const worthOut = multiply(exactOfDouble(route.amountOut), exactOfDouble(toPriceUsd))
  const impacts = sharesSold(sale)
    .map((share) => multiply(worthIn, share))
    .flatMap((worth) => [impactBps(worth, worthOut, worth), impactBps(worth, worthOut, worthOut)])
  const seen = exactOfDouble(route.priceImpactBps)
  const isExact = impacts.some((impact) => within(seen, impact, rational(1n)))
  const isOfOrder = impacts.some((impact) => isAtMostTwice(seen, impact) && isAtMostTwice(impact, seen))
  const readings = [...new Set(impacts.map((impact) => approximate(impact, 3)))].join(' or ')
  const details = {
    actual: route.priceImpactBps,
    note: `${route.amountIn} at ${fromPriceUsd} USD for ${route.amountOut} at ${toPriceUsd} USD`,
    boundaryClasses: [compare(worthOut, worthIn) > 0 ? 'gain' : 'loss'],
  }
  const order = judge('route.price-impact.against-mark', isOfOrder, {
    expected: `from half less 50 bps to twice as much and 100 bps of ${readings}`,
    ...details,
  })
  const exact = judge('route.price-impact.to-one-bp', isExact, {
    expected: `within 1 bps of ${readings}`,
    ...details,
  })
  return [order, ...following([order], [exact])]
}

/** Allows for an old mark, whose movement since then hides a small impact. */
function isAtMostTwice(one: Rational, other: Rational): boolean {
  const most = add(multiply(other, rational(2n)), rational(SLACK_BPS))
  return compare(one, most) <= 0
}

/**
 * Judges the impact against every pair of marks that the service may have used; one of them must explain it.
 *
 * @param accepted from `acceptedMarks`; when empty nothing is judged.
 */
export function judgeImpactByAny(
  route: ImpactRoute,
  sale: Sale,
  accepted: readonly UsdMarks[],
): readonly Verdict[] {
  const judged = accepted.map((marks) => judgeImpact({ route, sale, ...marks }))
  const passes = (verdicts: readonly Verdict[]) => verdicts.filter(({ outcome }) => outcome === 'pass').length
  return judged.toSorted((one, other) => passes(other) - passes(one))[0] ?? []
}

/** The USD marks of the chain's price feeds for the two tokens; null: the feed of a token has no usable answer. */
export interface FeedMarks {
  readonly from: number | null
  readonly to: number | null
  /** True if every service must know them: no feed was disturbed or became stale. */
  readonly sound: boolean
}

/**
 * Returns the pairs of marks that the impact may be measured by. The caller's marks "improve price-impact accuracy" (§4.1): a
 * service may prefer them or keep to the chain's, even if only one is sent. The handling of disturbed feeds is a service's own
 * choice, which is known for the reference alone.
 *
 * @param feeds null: they cannot be read.
 * @param isReference true if the service is known to choose like the reference, which prefers each mark of the caller.
 */
export function acceptedMarks(
  { fromPriceUsd, toPriceUsd }: Partial<UsdMarks>,
  feeds: FeedMarks | null,
  isReference: boolean,
): readonly UsdMarks[] {
  if (feeds === null) return []
  const pair = (from: number | null, to: number | null): readonly UsdMarks[] =>
    from === null || to === null ? [] : [{ fromPriceUsd: from, toPriceUsd: to }]
  const ofCaller = pair(fromPriceUsd ?? feeds.from, toPriceUsd ?? feeds.to)
  if (isReference) return ofCaller
  const isComplete = fromPriceUsd !== undefined && toPriceUsd !== undefined
  return isComplete || feeds.sound ? [...ofCaller, ...pair(feeds.from, feeds.to)] : []
}

/** Returns the shares of the input that may count: all of it, or the rest after the fee, exactly or in base units. */
function sharesSold({ amountInRaw, feeBps }: Sale): readonly Rational[] {
  const exact = rational(10_000n - BigInt(feeBps), 10_000n)
  const cut = feeOf(amountInRaw, feeBps)
  const inUnits =
    amountInRaw === 0n ? [] : [cut, cut + 1n].map((fee) => rational(amountInRaw - fee, amountInRaw))
  return [exact, ...(feeBps === 0 ? [] : inUnits), rational(1n)]
}

/** Returns the loss from one value to another, in bps of `whole`. */
function impactBps(worthIn: Rational, worthOut: Rational, whole: Rational): Rational {
  if (whole.numerator === 0n) return ZERO
  const impact = multiply(divide(subtract(worthIn, worthOut), whole), rational(10_000n))
  return compare(impact, ZERO) < 0 ? ZERO : impact
}
