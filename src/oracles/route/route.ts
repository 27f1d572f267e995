import { formatUnits } from 'viem'
import { LIMITS } from '../../spec/limits.ts'
import { MARKET } from '../../spec/venues.ts'
import type { Route } from '../../spec/wire.ts'
import {
  baseUnitsAskedBy,
  baseUnitsShownBy,
  exactOfDouble,
  isPrintingOf,
  rangeShownBy,
  roundingOf,
} from '../amounts/decimal.ts'
import { add, compare, divide, multiply, powerOfTen, rational, subtract } from '../amounts/rational.ts'
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
    ...judgedBy(route, ['midRate', 'amountOut', 'amountIn'], (shown) => judgeMidRate(shown, facts)),
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

/** What the division of two doubles, and their own printing, may add to a rate of any number of digits. */
const RATE_NOISE = rational(1n, 1n << 49n)

/**
 * `amountOut / amountIn` (§2.2), cut or rounded at the last digit that the rate shows, like any number (decimal.ts). The output
 * is any that its own digits mean; the input is the one shown, or that of the request which
 * it prints.
 */
function judgeMidRate(
  { midRate, amountOut, amountIn }: Pick<Route, 'midRate' | 'amountOut' | 'amountIn'>,
  { asked, fromDecimals, toDecimals }: RouteFacts,
): Verdict {
  const ratio = amountIn === 0 ? '' : `${amountOut / amountIn}, `
  const expected = `${ratio}amountOut ${amountOut} / amountIn ${amountIn}, to the digits shown`
  const details = { expected, actual: midRate }
  const { raw } = baseUnitsAskedBy(asked.amount, fromDecimals)
  const isPrinted = isPrintingOf(amountIn, raw, fromDecimals)
  const requested = isPrinted ? [divide(rational(raw), powerOfTen(fromDecimals))] : []
  const inputs = [exactOfDouble(amountIn), ...requested]
  if (inputs.some(({ numerator }) => numerator === 0n))
    return judge('route.mid-rate', false, { ...details, note: 'amountIn is 0' })
  const output = rangeShownBy(amountOut, toDecimals)
  const rates = inputs.flatMap((input) => [divide(output.low, input), divide(output.high, input)])
  const shown = exactOfDouble(midRate)
  const { below, above } = roundingOf(midRate)
  const noise = multiply(shown, RATE_NOISE)
  const [least, most] = [subtract(shown, add(below, noise)), add(shown, add(above, noise))]
  const holds =
    rates.some((rate) => compare(rate, least) >= 0) && rates.some((rate) => compare(rate, most) <= 0)
  return judge('route.mid-rate', holds, details)
}

function slippageClass(slippageBps: number): readonly string[] {
  if (slippageBps === LIMITS.slippageBps.min) return ['slippage-zero']
  return slippageBps === LIMITS.slippageBps.max ? ['slippage-max'] : ['slippage-between']
}
