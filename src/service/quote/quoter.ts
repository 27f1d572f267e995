import type { QuoteResponse, Route } from '../../spec/wire.ts'
import { type Budget, startBudget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import type { KeyRecord } from '../records.ts'
import type { SwapRequest } from '../requests.ts'
import { createMemo, type Perishable } from './memo.ts'
import { dropReverting } from './presimulate.ts'
import { createPricer, type Priced } from './price.ts'
import type { Candidate } from './ranking.ts'
import { createRouteView, feeEnvelope } from './view.ts'

export interface Quoter {
  /**
   * Handles GET /api/v1/quote (§4.1). The result may be shared with identical requests of the same key: do not mutate it.
   *
   * @param arrivedAtMs start of the time budget on the monotonic clock; now by default.
   * @throws {InvalidRequestError} a token or the amount breaks a rule of §4.1.
   * @throws {ChainUnavailableError} the chain cannot be read.
   */
  quote(request: SwapRequest, caller: KeyRecord, arrivedAtMs?: number): Promise<QuoteResponse>
  /** Returns fresh prices, never memoized: the first half of a build (§4.2 rule 1). Throws like `quote`. */
  price(request: SwapRequest, budget: Budget): Promise<Priced>
}

export function createQuoter(deps: ServiceDeps): Quoter {
  const price = createPricer(deps)
  const view = createRouteView(deps.manifest)
  const memo = createMemo<QuoteResponse>(deps.clock, deps.policy.memoMs)

  const routeOf = (priced: Priced, ranked: readonly Candidate[]): Route | null => {
    const stamp = { quoteId: deps.ids.uuid(), expiresAtMs: deps.clock.nowMs() + deps.policy.quoteTtlMs }
    const [winner, ...rest] = ranked
    if (winner) return view.venueRoute(priced, [winner, ...rest], stamp)
    const estimated = priced.request.preferEngine === null && !priced.wrapOnly
    return estimated ? view.marketRoute(priced, stamp) : null
  }

  const make = async (request: SwapRequest, arrivedAtMs?: number): Promise<Perishable<QuoteResponse>> => {
    const budget = startBudget(deps.clock, deps.policy.quoteBudgetMs, arrivedAtMs)
    const priced = await price(request, budget)
    const route = routeOf(priced, await dropReverting(deps, priced, budget))
    deps.log.info('quote.priced', {
      from: request.from,
      to: request.to,
      engine: route?.engine ?? null,
      answered: priced.ranked.map(({ venue }) => venue.id),
      refusals: priced.refusals,
    })
    return {
      value: { route, ...feeEnvelope(request, route !== null) },
      expiresAtMs: route?.expiresAt ?? null,
    }
  }

  return {
    price,
    quote: (request, caller, arrivedAtMs) => memo(memoKey(request, caller), () => make(request, arrivedAtMs)),
  }
}

/** Returns the memo key (§4.1 rule 3): the API key and every parameter that can affect the response. */
function memoKey(request: SwapRequest, { keyId }: KeyRecord): string {
  return JSON.stringify([
    keyId,
    request.from,
    request.to,
    request.amount,
    request.fromAddress,
    request.toAddress,
    request.fromDecimals,
    request.toDecimals,
    request.slippageBps,
    request.sender,
    request.partnerFeeBps,
    request.partnerFeeRecipient,
    request.preferEngine,
    request.fromPriceUsd,
    request.toPriceUsd,
  ])
}
