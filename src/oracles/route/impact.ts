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

/** Describes what one whole token of each side is worth, in USD: by the caller's marks or by the price feeds. */
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

/** Describes what is sold, in base units, and the partner fee of the request. */
export interface Sale {
  readonly amountInRaw: bigint
  readonly feeBps: number
}

/**
 * Judges `priceImpactBps` against USD marks (§2.2): how far the worth of the output lies below that of the input, in
 * bps, a gain as 0. Neither whether the input counts before or after the partner fee is shown, nor which of the two worths the
 * distance is a share of, nor whether that fee is exact, cut to base units or rounded up: each of these conforms, and so does
 * rounding to whole bps: one bp on either side, by convention. What doubles lose, about 10^-12 bps of each worth, is hidden by
 * that. How old a mark may be is not shown, so what is demanded is no more than the order of magnitude.
 *
 * Not judged: answers for which a mark is missing.
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

/** A mark may be a while old, and a small impact is lost in what it moved since. */
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

/** The marks of the chain's price feeds for the two tokens; null: the feed of a token has no usable answer. */
export interface FeedMarks {
  readonly from: number | null
  readonly to: number | null
  /** True if any service must know them: no feed was disturbed or grew old. */
  readonly sound: boolean
}

/**
 * Returns the pairs of marks that the impact may be measured by. The caller's marks "improve price-impact accuracy" (§4.1): a
 * service may prefer them or hold to the chain's, also where only one is sent. What comes of feeds that were disturbed is a service's
 * own choice, which is known of the reference alone.
 *
 * @param feeds null: they cannot be read.
 * @param isReference whether the service is known to choose as the reference does: each mark of the caller comes first.
 */
export function acceptedMarks(
  { fromPriceUsd, toPriceUsd }: Partial<UsdMarks>,
  feeds: FeedMarks | null,
  isReference: boolean,
): readonly UsdMarks[] {
  if (feeds === null) return []
  const pair = (from: number | null, to: number | null): readonly UsdMarks[] =>
    from === null || to === null ? [] : [{ fromPriceUsd: from, toPriceUsd: to }]
  if (isReference) return pair(fromPriceUsd ?? feeds.from, toPriceUsd ?? feeds.to)
  const ofCaller = pair(fromPriceUsd ?? feeds.from, toPriceUsd ?? feeds.to)
  const isComplete = fromPriceUsd !== undefined && toPriceUsd !== undefined
  return isComplete || feeds.sound ? [...ofCaller, ...pair(feeds.from, feeds.to)] : []
}

/** Returns what of the input may count: all of it, or what the fee leaves, exactly or in base units. */
function sharesSold({ amountInRaw, feeBps }: Sale): readonly Rational[] {
  const exact = rational(10_000n - BigInt(feeBps), 10_000n)
  const cut = feeOf(amountInRaw, feeBps)
  const inUnits =
    amountInRaw === 0n ? [] : [cut, cut + 1n].map((fee) => rational(amountInRaw - fee, amountInRaw))
  return [exact, ...(feeBps === 0 ? [] : inUnits), rational(1n)]
}

/** Returns the loss from one worth to another as a share of `whole`. */
function impactBps(worthIn: Rational, worthOut: Rational, whole: Rational): Rational {
  if (whole.numerator === 0n) return ZERO
  const impact = multiply(divide(subtract(worthIn, worthOut), whole), rational(10_000n))
  return compare(impact, ZERO) < 0 ? ZERO : impact
}
