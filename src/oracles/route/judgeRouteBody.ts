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

/** Symbols that are interchangeable in a hop: the coin and its wrapped twin. */
const INTERCHANGEABLE = [['ETH', 'WETH']] as const

type Observed = Pick<QuoteObservation | BuildObservation, 'request' | 'response' | 'pools'>

export interface RouteJudgement {
  /** Verdicts on the route. */
  readonly verdicts: readonly Verdict[]
  /** Null: none, or one that is malformed. */
  readonly route: Route | null
}

/**
 * Judges what the body of a quote and that of a build have in common: the fee envelope and the route, by itself, by the
 * request, and by the pools as far as they are known. Where a field is malformed, what does not depend on it is judged.
 *
 * @param body of a response 200.
 */
export function judgeRouteBody(
  endpoint: 'quote' | 'build',
  body: Readonly<Record<string, unknown>>,
  observed: Observed,
): RouteJudgement & { readonly envelope: readonly Verdict[]; readonly fields: WellFormedRoute } {
  const { request } = observed
  // A build has a route; what its fees would be without one is not shown.
  const isRouteless = endpoint === 'build' && body.route === null
  const envelope = isRouteless ? [] : judgeFeeEnvelope({ endpoint, body, asked: request.asked })
  if (endpoint === 'quote' && body.route === null)
    return { envelope, verdicts: judgeNoRoute(observed, 'route: null'), route: null, fields: {} }
  const { verdicts: shape, route, fields } = judgeRouteShape(endpoint, body.route)
  if (request.swap === null) return { envelope, verdicts: shape, route, fields }
  // A total that is no whole number of bps is the envelope's fault; the amounts are judged by the fee that was requested.
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
      // By another clock than the service's own, only the request surely came before the response.
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

/** Judges that no venue can price the pair where none is said to. */
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
