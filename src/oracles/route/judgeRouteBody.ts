import { MARKET } from '../../spec/venues.ts'
import type { Route } from '../../spec/wire.ts'
import type { BuildObservation, QuoteObservation } from '../observation.ts'
import { judgedBy, type WellFormedRoute } from '../response/wellFormed.ts'
import type { RequestedSwap } from '../swapFacts.ts'
import { judge, type Verdict } from '../verdict.ts'
import { judgeFeeEnvelope } from './envelope.ts'
import { judgeHops } from './hops.ts'
import { judgeImpactByAny } from './impact.ts'
import { judgeSettled } from './judgeSettled.ts'
import { judgeQuoteVsModel } from './quoteVsModel.ts'
import { judgeAnsweringVenues, judgeRanking, winnerMayBeOverruled } from './ranking.ts'
import { judgeNetworkFee, judgeRoute } from './route.ts'
import { judgeRouteShape } from './routeShape.ts'

/** Symbols that are interchangeable in a hop. */
const INTERCHANGEABLE = [['ETH', 'WETH']] as const

type Observed = Pick<QuoteObservation | BuildObservation, 'request' | 'response' | 'pools'>

export interface RouteJudgement {
  /** Verdicts on the route. */
  readonly verdicts: readonly Verdict[]
  /** Null: absent or malformed. */
  readonly route: Route | null
}

/**
 * Judges the parts that the bodies of quote and build share, the fee envelope and the route: for consistency, by the request,
 * and by the pools as far as they are known. A malformed field skips only the checks that depend on it.
 *
 * @param body body of a 200 response.
 */
export function judgeRouteBody(
  endpoint: 'quote' | 'build',
  body: Readonly<Record<string, unknown>>,
  observed: Observed,
): RouteJudgement & { readonly envelope: readonly Verdict[]; readonly fields: WellFormedRoute } {
  const { request } = observed
  // A build has a route; its fee envelope without one is not shown.
  const isRouteless = endpoint === 'build' && body.route === null
  const envelope = isRouteless ? [] : judgeFeeEnvelope({ endpoint, body, asked: request.asked })
  if (endpoint === 'quote' && body.route === null)
    return { envelope, verdicts: judgeNoRoute(observed, 'route: null'), route: null, fields: {} }
  const { verdicts: shape, route, fields } = judgeRouteShape(endpoint, body.route)
  if (request.swap === null) return { envelope, verdicts: shape, route, fields }
  // The envelope's judge fails a total that is not a whole number of bps; the amounts are then judged by the requested fee.
  const { totalFeeBps: said } = body
  const isFee = typeof said === 'number' && Number.isInteger(said) && said >= 0
  const totalFeeBps = isFee ? said : request.swap.facts.feeBps
  const values = judgeValues(endpoint, fields, totalFeeBps, { ...observed, swap: request.swap })
  return { envelope, verdicts: [...shape, ...values], route, fields }
}

function judgeValues(
  endpoint: 'quote' | 'build',
  route: WellFormedRoute,
  totalFeeBps: number,
  { request, response, pools, swap }: Observed & { readonly swap: NonNullable<RequestedSwap['swap']> },
): readonly Verdict[] {
  const { tokenIn, tokenOut, outputIsEth } = swap.facts
  const overruled = winnerMayBeOverruled(endpoint, request)
  const verdicts: Verdict[] = [
    ...judgeRoute({
      endpoint,
      route,
      asked: { ...request.asked, amount: swap.amount },
      fromDecimals: tokenIn.decimals,
      toDecimals: tokenOut.decimals,
      feeBps: swap.facts.feeBps,
      totalFeeBps,
      // By a clock other than the service's own, only the request time is surely before the response.
      answeredAtMs: response.clock === 'exact' ? response.respondedAtMs : response.requestedAtMs,
    }),
    ...judgeHops({ route, from: tokenIn.symbol, to: tokenOut.symbol, interchangeable: INTERCHANGEABLE }),
    ...judgeRanking({ route, toDecimals: tokenOut.decimals, winnerMayBeOverruled: overruled, outputIsEth }),
    ...judgedBy(route, ['amountIn', 'amountOut', 'priceImpactBps'], (impact) =>
      judgeImpactByAny(impact, swap.facts, pools.marks),
    ),
  ]
  if (route.engine === MARKET) return [...verdicts, ...judgeNoRoute({ request, pools }, 'market')]
  if (pools.gasHasCost === true)
    verdicts.push(...judgedBy(route, ['engine', 'networkFeeEth'], judgeNetworkFee))
  if (pools.settled !== undefined)
    verdicts.push(
      ...judgeSettled({
        endpoint,
        route,
        toDecimals: tokenOut.decimals,
        settled: pools.settled,
        isForced: request.asked.preferEngine !== undefined,
      }),
    )
  if (pools.models === null) return verdicts
  if (pools.modelsAreComplete && !overruled)
    verdicts.push(
      ...judgeAnsweringVenues(
        route,
        [...pools.models.keys()],
        request.asked.preferEngine ?? null,
        pools.absurd,
      ),
    )
  return [
    ...verdicts,
    ...judgeQuoteVsModel({ route, toDecimals: tokenOut.decimals, totalFeeBps, models: pools.models }),
  ]
}

/** Judges that no venue can price the pair, for a response without a venue's route. */
function judgeNoRoute(
  { request, pools }: Pick<Observed, 'request' | 'pools'>,
  actual: string,
): readonly Verdict[] {
  const { models, modelsAreComplete } = pools
  if (models === null || !modelsAreComplete || winnerMayBeOverruled('quote', request)) return []
  const able = [...models.keys()]
  const expected = able.length === 0 ? 'no route' : `a route, as ${able.join(', ')} can price it`
  return [judge('alternatives.complete', able.length === 0, { expected, actual })]
}
