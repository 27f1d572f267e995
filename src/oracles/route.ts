import { LIMITS } from '../spec/limits.ts'
import { MARKET } from '../spec/venues.ts'
import type { Route } from '../spec/wire.ts'
import {
  baseUnitsAskedBy,
  baseUnitsShownBy,
  exactOfDouble,
  formatBaseUnits,
  isPrintingOf,
} from './decimal.ts'
import { divide, multiply, rational, within } from './rational.ts'
import { judge, judgeEqual, observe, type Verdict } from './verdict.ts'

export interface RouteFacts {
  readonly endpoint: 'quote' | 'build'
  /** A route whose shape was judged before. */
  readonly route: Route
  readonly asked: { readonly amount: number; readonly slippageBps?: number }
  readonly fromDecimals: number
  readonly toDecimals: number
  /** `totalFeeBps` of the same answer. */
  readonly totalFeeBps: number
  /** The time of the service's clock at which the answer was given, in epoch milliseconds. */
  readonly answeredAtMs: number
}

/**
 * Judges the values of a route against each other and against the request (§2.2). Only JSON numbers are known here, so
 * each is taken as the range of base units that honest printing allows (decimal.ts), and ranges are compared.
 *
 * Not judged: whether the output is what the pool gives (quoteVsModel.ts, settlement.ts), the alternatives
 * (ranking.ts), the hops (hops.ts), the impact (impact.ts).
 */
export function judgeRoute(facts: RouteFacts): readonly Verdict[] {
  const { route, endpoint, totalFeeBps } = facts
  const slippageBps = facts.asked.slippageBps ?? LIMITS.slippageBps.default
  const isMarket = route.engine === MARKET
  const verdicts = [
    ...judgeAmountIn(facts),
    judgeMinimumReceived(route, facts.toDecimals),
    judgeMidRate(route),
    judgeEqual('route.slippage-echo', route.slippageBps, slippageBps, {
      boundaryClasses: slippageClass(slippageBps),
    }),
    judgeEqual('route.executable', route.executable, !isMarket, { note: `engine ${route.engine}` }),
    judgeEqual('route.protocol-fee', route.protocolFeeBps, totalFeeBps),
    judge('route.expires-at', route.expiresAt >= facts.answeredAtMs, {
      expected: `not before ${facts.answeredAtMs}`,
      seen: route.expiresAt,
    }),
  ]
  if (facts.asked.slippageBps === undefined) {
    const id = endpoint === 'quote' ? 'quote.slippage.default' : 'build.slippage.default'
    verdicts.push(judgeEqual(id, route.slippageBps, LIMITS.slippageBps.default))
  }
  if (isMarket) verdicts.push(judgeEqual('quote.market.not-executable', route.executable, false))
  return verdicts
}

/** Judges that an executable route costs gas, on a chain whose gas costs something (§2.2 `networkFeeEth`). */
export function judgeNetworkFee({ networkFeeEth }: Pick<Route, 'networkFeeEth'>): Verdict {
  return judge('route.network-fee.positive', networkFeeEth > 0, {
    expected: 'more than 0',
    seen: networkFeeEth,
  })
}

/** Judges that quotes with different parameters carry different ids (§2.2 `quoteId`). */
export function judgeDistinctQuoteIds(quoteIds: readonly string[]): Verdict {
  const distinct = new Set(quoteIds.map((quoteId) => quoteId.toLowerCase())).size
  return judge('route.quote-id.distinct', distinct === quoteIds.length, {
    expected: `${quoteIds.length} distinct ids`,
    seen: quoteIds,
  })
}

/** The amount asked for comes back; with digits that the token cannot hold, cut or uncut. */
function judgeAmountIn({ route, asked, fromDecimals }: RouteFacts): readonly Verdict[] {
  const { raw, surplus } = baseUnitsAskedBy(asked.amount, fromDecimals)
  const isCut = isPrintingOf(route.amountIn, raw, fromDecimals)
  const details = { expected: formatBaseUnits(raw, fromDecimals), seen: route.amountIn }
  if (!surplus) return [judge('route.amount-in', isCut, details)]
  const isEcho = route.amountIn === asked.amount
  return [
    judge('route.amount-in', isCut || isEcho, { ...details, boundaryClasses: ['surplus-digits'] }),
    observe('amounts.surplus-digits', { asked: asked.amount, amountIn: route.amountIn }),
  ]
}

/**
 * With `amountOut` meaning base units from `low` to `high`, the minimum is floor(low × keep / 10000) to
 * floor(high × keep / 10000), keep = 10000 − slippageBps; what `minimumReceived` means must meet that range.
 */
function judgeMinimumReceived(route: Route, toDecimals: number): Verdict {
  const out = baseUnitsShownBy(route.amountOut, toDecimals)
  const least = minimumOf(out.low, route.slippageBps)
  const most = minimumOf(out.high, route.slippageBps)
  const shown = baseUnitsShownBy(route.minimumReceived, toDecimals)
  return judge('route.minimum-received.floor', shown.low <= most && shown.high >= least, {
    expected:
      least === most
        ? formatBaseUnits(least, toDecimals)
        : `${formatBaseUnits(least, toDecimals)} to ${formatBaseUnits(most, toDecimals)}`,
    seen: route.minimumReceived,
    note: `amountOut ${route.amountOut} at ${route.slippageBps} bps`,
    boundaryClasses: slippageClass(route.slippageBps),
  })
}

/** The rule of the minimum: floor(out × (10000 − slippageBps) / 10000), in base units. */
export function minimumOf(outRaw: bigint, slippageBps: number): bigint {
  const denominator = BigInt(LIMITS.bpsDenominator)
  return (outRaw * (denominator - BigInt(slippageBps))) / denominator
}

/**
 * Each of the three numbers may be off by up to 10^-14 of its value (15 significant digits, decimal.ts), so the
 * quotient of two of them lies within 3 × 10^-14 of the third, and 4 × 10^-14 leaves room for the doubles.
 */
function judgeMidRate(route: Route): Verdict {
  const tolerance = rational(4n, 10n ** 14n)
  const seen = exactOfDouble(route.midRate)
  const amountIn = exactOfDouble(route.amountIn)
  const details = { expected: `${route.amountOut} / ${route.amountIn}`, seen: route.midRate }
  if (amountIn.numerator === 0n) return judge('route.mid-rate', false, { ...details, note: 'amountIn is 0' })
  const rate = divide(exactOfDouble(route.amountOut), amountIn)
  return judge('route.mid-rate', within(seen, rate, multiply(rate, tolerance)), details)
}

function slippageClass(slippageBps: number): readonly string[] {
  if (slippageBps === LIMITS.slippageBps.min) return ['slippage-zero']
  return slippageBps === LIMITS.slippageBps.max ? ['slippage-max'] : ['slippage-between']
}
