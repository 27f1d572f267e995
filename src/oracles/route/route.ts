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
  /** The route, with its shape judged before. */
  readonly route: WellFormedRoute
  readonly asked: { readonly amount: number; readonly slippageBps?: number }
  readonly fromDecimals: number
  readonly toDecimals: number
  /** The partner fee of the request. */
  readonly feeBps: number
  /** `totalFeeBps` of the same response. */
  readonly totalFeeBps: number
  /** Time of the response by the service's clock, in epoch milliseconds. */
  readonly answeredAtMs: number
}

/**
 * Judges the values of a route against each other and against the request (§2.2). Each JSON number is taken as the range of
 * base units that honest printing allows (decimal.ts), and ranges are compared. Malformed fields are skipped.
 *
 * Not judged: the pool's output (quoteVsModel.ts, settlement.ts), alternatives (ranking.ts), hops (hops.ts), impact
 * (impact.ts).
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
 * Judges that `expiresAt` (§2.2) is in epoch milliseconds and not over yet. The lifetime of a quote is not shown, so only a
 * time that must be in another unit is too late: more than a year ahead.
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

/** Judges that `amountIn` is the requested amount. Digits beyond the token's decimals may be cut or kept. */
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

/** Judges that `minimumReceived`, up to its printing, is a minimum that the route promises. */
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
 * Returns the least and the greatest minimum that a route may promise, in base units. `amountOut` is a double and means outputs
 * from `low` to `high` (decimal.ts). The minimum, out × (10000 − slippageBps) / 10000, mostly lies between two base units. §2.2
 * names no rounding, so both conform: `least` is the product for `low`, cut, `most` that for `high`, rounded up.
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

/** Relative error of a rate from dividing two doubles and printing the result. */
const RATE_NOISE = rational(1n, 1n << 49n)

/**
 * Judges that `midRate` is `amountOut / amountIn` (§2.2), cut or rounded at its last digit like any number (decimal.ts). The
 * output is any that its digits mean; the input is the one shown, or the requested one that it prints.
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
