import { formatUnits } from 'viem'
import { LIMITS } from '../../spec/limits.ts'
import { MARKET } from '../../spec/venues.ts'
import type { Route } from '../../spec/wire.ts'
import { baseUnitsAskedBy, baseUnitsShownBy, exactOfDouble, isPrintingOf } from '../amounts/decimal.ts'
import { add, compare, divide, multiply, rational, subtract } from '../amounts/rational.ts'
import { judgedBy, type WellFormedRoute } from '../response/wellFormed.ts'
import { judge, judgeEqual, observe, type Verdict } from '../verdict.ts'

const LONGEST_TTL_MS = 365 * 24 * 60 * 60 * 1_000

export interface RouteFacts {
  readonly endpoint: 'quote' | 'build'
  /** A route whose shape was judged before. */
  readonly route: WellFormedRoute
  readonly asked: { readonly amount: number; readonly slippageBps?: number }
  readonly fromDecimals: number
  readonly toDecimals: number
  /** The partner fee of the request. */
  readonly feeBps: number
  /** `totalFeeBps` of the same answer. */
  readonly totalFeeBps: number
  /** The time of the service's clock at which the answer was given, in epoch milliseconds. */
  readonly answeredAtMs: number
}

/**
 * Judges the values of a route against each other and against the request (§2.2). Only JSON numbers are known here, so
 * each is taken as the range of base units that honest printing allows (decimal.ts), and ranges are compared. What depends on a
 * malformed field is left out.
 *
 * Not judged: whether the output is what the pool gives (quoteVsModel.ts, settlement.ts), the alternatives
 * (ranking.ts), the hops (hops.ts), the impact (impact.ts).
 */
export function judgeRoute(facts: RouteFacts): readonly Verdict[] {
  const { route, endpoint, totalFeeBps } = facts
  const slippageBps = facts.asked.slippageBps ?? LIMITS.slippageBps.default
  const byDefault = endpoint === 'quote' ? 'quote.slippage.default' : 'build.slippage.default'
  return [
    ...judgedBy(route, ['amountIn'], (shown) => judgeAmountIn(shown, facts)),
    ...judgedBy(route, ['minimumReceived', 'amountOut', 'slippageBps'], (shown) =>
      judgeMinimumReceived(shown, facts.toDecimals),
    ),
    ...judgedBy(route, ['midRate', 'amountOut', 'amountIn'], (shown) => judgeMidRate(shown, facts.feeBps)),
    ...judgedBy(route, ['slippageBps'], (shown) =>
      judgeEqual('route.slippage-echo', shown.slippageBps, slippageBps, {
        boundaryClasses: slippageClass(slippageBps),
      }),
    ),
    ...judgedBy(route, ['executable', 'engine'], ({ executable, engine }) =>
      judgeEqual('route.executable', executable, engine !== MARKET, { note: `engine ${engine}` }),
    ),
    ...judgedBy(route, ['protocolFeeBps'], ({ protocolFeeBps }) =>
      judgeEqual('route.protocol-fee', protocolFeeBps, totalFeeBps),
    ),
    ...judgedBy(route, ['expiresAt'], (shown) => judgeExpiry(shown, facts.answeredAtMs)),
    ...judgedBy(route, ['slippageBps'], (shown) =>
      facts.asked.slippageBps === undefined
        ? judgeEqual(byDefault, shown.slippageBps, LIMITS.slippageBps.default)
        : [],
    ),
    ...judgedBy(route, ['executable', 'engine'], ({ executable, engine }) =>
      engine === MARKET ? judgeEqual('quote.market.not-executable', executable, false) : [],
    ),
  ]
}

/**
 * §2.2 `expiresAt`: epoch milliseconds that are not over yet. How long a quote holds is not shown, so only what no reading
 * in milliseconds explains is too late: amounts that stay fresh for a year.
 */
function judgeExpiry({ expiresAt }: Pick<Route, 'expiresAt'>, answeredAtMs: number): Verdict {
  const latestMs = answeredAtMs + LONGEST_TTL_MS
  return judge('route.expires-at', expiresAt >= answeredAtMs && expiresAt <= latestMs, {
    expected: `epoch milliseconds from ${answeredAtMs} to ${latestMs}`,
    actual: expiresAt,
  })
}

/** Judges that an executable route costs gas, on a chain whose gas costs something (§2.2 `networkFeeEth`). */
export function judgeNetworkFee({ networkFeeEth }: Pick<Route, 'networkFeeEth'>): Verdict {
  return judge('route.network-fee.positive', networkFeeEth > 0, {
    expected: 'more than 0',
    actual: networkFeeEth,
  })
}

/** Judges that quotes with different parameters carry different ids (§2.2 `quoteId`). */
export function judgeDistinctQuoteIds(quoteIds: readonly string[]): Verdict {
  const distinct = new Set(quoteIds.map((quoteId) => quoteId.toLowerCase())).size
  return judge('route.quote-id.distinct', distinct === quoteIds.length, {
    expected: `${quoteIds.length} distinct ids`,
    actual: quoteIds,
  })
}

/** The amount asked for comes back; with digits that the token cannot hold, cut or uncut. */
function judgeAmountIn(
  route: Pick<Route, 'amountIn'>,
  { asked, fromDecimals }: RouteFacts,
): readonly Verdict[] {
  const { raw, surplus } = baseUnitsAskedBy(asked.amount, fromDecimals)
  const isCut = isPrintingOf(route.amountIn, raw, fromDecimals)
  const details = { expected: formatUnits(raw, fromDecimals), actual: route.amountIn }
  if (!surplus) return [judge('route.amount-in', isCut, details)]
  const isEcho = route.amountIn === asked.amount
  return [
    judge('route.amount-in', isCut || isEcho, { ...details, boundaryClasses: ['surplus-digits'] }),
    observe('amounts.surplus-digits', { asked: asked.amount, amountIn: route.amountIn }),
  ]
}

/** Judges that what `minimumReceived` means, as far as a double says, must meet the minimums that the route promises. */
function judgeMinimumReceived(
  route: Pick<Route, 'minimumReceived' | 'amountOut' | 'slippageBps'>,
  toDecimals: number,
): Verdict {
  const { least, most } = promisedMinimum(route, toDecimals)
  const shown = baseUnitsShownBy(route.minimumReceived, toDecimals)
  return judge('route.minimum-received.floor', shown.low <= most && shown.high >= least, {
    expected:
      least === most
        ? formatUnits(least, toDecimals)
        : `${formatUnits(least, toDecimals)} to ${formatUnits(most, toDecimals)}`,
    actual: route.minimumReceived,
    note: `amountOut ${route.amountOut} at ${route.slippageBps} bps`,
    boundaryClasses: slippageClass(route.slippageBps),
  })
}

/** Returns the minimum of an output, cut to base units: floor(out × (10000 − slippageBps) / 10000). */
export function minimumOf(outRaw: bigint, slippageBps: number): bigint {
  const denominator = BigInt(LIMITS.bpsDenominator)
  return (outRaw * (denominator - BigInt(slippageBps))) / denominator
}

/**
 * Returns the minimums that a route promises, in base units. `amountOut` is a double and means outputs from `low` to `high`
 * (decimal.ts). The minimum of an output is out × (10000 − slippageBps) / 10000, which mostly lies between two base units;
 * §2.2 calls it a floor at the slippage and names no rounding, so both neighbours are right: they are one base unit apart,
 * and one and the same where the product is whole, as it is without slippage. So the least is the product for `low`, cut,
 * and the most that for `high`, rounded up.
 */
export function promisedMinimum(
  { amountOut, slippageBps }: Pick<Route, 'amountOut' | 'slippageBps'>,
  toDecimals: number,
): { readonly least: bigint; readonly most: bigint } {
  const { low, high } = baseUnitsShownBy(amountOut, toDecimals)
  const isWhole = (high * BigInt(slippageBps)) % BigInt(LIMITS.bpsDenominator) === 0n
  return {
    least: minimumOf(low, slippageBps),
    most: minimumOf(high, slippageBps) + (isWhole ? 0n : 1n),
  }
}

/** A rate of six significant digits, cut: less than one unit of the sixth, 10^(e−5) ≤ 10^-5 of a number of 10^e or more. */
const RATE_DIGITS = rational(1n, 10n ** 5n)

/**
 * `amountOut / amountIn` (§2.2), to six significant digits: how many a rate has is not shown. Each amount may be off by 10^-14
 * of its value (15 significant digits, decimal.ts), which that hides. Whether the partner fee counts as part of the rate is
 * not shown either, so the rate before the fee, and any between the two, conforms.
 */
function judgeMidRate(route: Pick<Route, 'midRate' | 'amountOut' | 'amountIn'>, feeBps: number): Verdict {
  const seen = exactOfDouble(route.midRate)
  const amountIn = exactOfDouble(route.amountIn)
  const details = { expected: `${route.amountOut} / ${route.amountIn}`, actual: route.midRate }
  if (amountIn.numerator === 0n) return judge('route.mid-rate', false, { ...details, note: 'amountIn is 0' })
  const rate = divide(exactOfDouble(route.amountOut), amountIn)
  const least = subtract(rate, multiply(rate, RATE_DIGITS))
  const most = add(rate, multiply(rate, RATE_DIGITS))
  const net = multiply(seen, rational(10_000n - BigInt(feeBps), 10_000n))
  return judge('route.mid-rate', compare(least, seen) <= 0 && compare(net, most) <= 0, details)
}

function slippageClass(slippageBps: number): readonly string[] {
  if (slippageBps === LIMITS.slippageBps.min) return ['slippage-zero']
  return slippageBps === LIMITS.slippageBps.max ? ['slippage-max'] : ['slippage-between']
}
