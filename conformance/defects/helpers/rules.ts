import {
  type Candidate,
  createBuilder,
  createQuoter,
  createRouteView,
  type Domain,
  dropReverting,
  feeEnvelope,
  type Order,
  type Priced,
  type Quoter,
  type ServiceDeps,
  type ServiceSeams,
  type Settlement,
  type SwapRequest,
  startBudget,
} from '../../../src/service/testing.ts'
import type { VenueId } from '../../../src/spec/venues.ts'

/** Returns the service with other rules behind the same endpoints. */
export function changeRules(change: (domain: Domain, deps: ServiceDeps) => Partial<Domain>): ServiceSeams {
  return { domain: (domain, deps) => ({ ...domain, ...change(domain, deps) }) }
}

type Build = Domain['builder']['build']
type Confirm = Domain['confirmer']['confirm']
type Report = Domain['partners']['report']

/** Returns the service with another `build`, which may call the right one. */
export function changeBuild(make: (build: Build, deps: ServiceDeps) => Build): ServiceSeams {
  return changeRules(({ builder }, deps) => ({
    builder: { build: make((...asked) => builder.build(...asked), deps) },
  }))
}

/** Returns the service with another `confirm`, which may call the right one and keep state until a restart. */
export function changeConfirm(make: (confirm: Confirm, deps: ServiceDeps) => Confirm): ServiceSeams {
  return changeRules(({ confirmer }, deps) => ({
    confirmer: { confirm: make((...asked) => confirmer.confirm(...asked), deps) },
  }))
}

/** Returns the service with another partner report, which may call the right one and keep state until a restart. */
export function changeReport(make: (report: Report, deps: ServiceDeps) => Report): ServiceSeams {
  return changeRules(({ partners }, deps) => ({
    partners: {
      authenticate: (authorization) => partners.authenticate(authorization),
      report: make((caller) => partners.report(caller), deps),
    },
  }))
}

/** Pricing of a broken service, which may call the right one, with another request or several times. */
type Pricing = (price: Quoter['price'], deps: ServiceDeps) => Quoter['price']

/** Returns the service with other prices for quotes, builds or both. */
export function changePricing(make: Pricing, where: 'quote' | 'build' | 'both' = 'both'): ServiceSeams {
  return changeRules((_domain, deps) => {
    const honest = createQuoter(deps)
    const price = make(honest.price, deps)
    return {
      ...(where === 'build' ? {} : { quoter: { quote: (request) => quoteOf(deps, price, request) } }),
      ...(where === 'quote' ? {} : { builder: createBuilder(deps, { ...honest, price }) }),
    }
  })
}

/** Returns the service with changed prices. */
export function changePrices(
  change: (priced: Priced, deps: ServiceDeps) => Priced,
  where: 'quote' | 'build' | 'both' = 'both',
): ServiceSeams {
  return changePricing(
    (price, deps) => async (request, budget) => change(await price(request, budget), deps),
    where,
  )
}

/** Returns the service with another order of the venues, or other venues. */
export function changeRanking(
  change: (ranked: readonly Candidate[], priced: Priced) => readonly Candidate[],
  where: 'quote' | 'build' | 'both' = 'both',
): ServiceSeams {
  return changePrices((priced) => ({ ...priced, ranked: change(priced.ranked, priced) }), where)
}

/** A swap that is being settled. */
export interface Deal {
  readonly deps: ServiceDeps
  readonly priced: Priced
  readonly engine: VenueId
  /** Number of pools on the route. */
  readonly hops: number
  /** The venue's quote. */
  readonly amountOutRaw: bigint
}

/** Returns the service with another settlement of the same order. */
export function changeSettlement(
  change: (settlement: Settlement, order: Order, deal: Deal) => Settlement,
): ServiceSeams {
  return changeSettling((order, deal, settle) => change(settle(order), order, deal))
}

/** Returns the service settling another order than the priced one. */
export function changeOrder(misread: (order: Order, deal: Deal) => Order): ServiceSeams {
  return changeSettling((order, deal, settle) => settle(misread(order, deal)))
}

/** Returns the service with a changed order, a changed settlement, or both. */
export function changeSettling(
  how: (order: Order, deal: Deal, settle: (order: Order) => Settlement) => Settlement,
): ServiceSeams {
  return changePrices((priced, deps) => {
    const ranked = priced.ranked.map((candidate): Candidate => {
      const { venue, way, amountOutRaw } = candidate
      const deal = { deps, priced, engine: venue.id, hops: way.via.length + 1, amountOutRaw }
      const settle: typeof venue.settle = (taken, order) =>
        how(order, deal, (read) => venue.settle(taken, read))
      return { ...candidate, venue: { ...venue, settle } }
    })
    return { ...priced, ranked }
  }, 'build')
}

/** Returns a quote as the reference makes it, without its memo. */
async function quoteOf(deps: ServiceDeps, price: Quoter['price'], request: SwapRequest) {
  const view = createRouteView(deps.manifest)
  const budget = startBudget(deps.clock, deps.policy.quoteBudgetMs)
  const priced = await price(request, budget)
  const [winner, ...others] = await dropReverting(deps, priced, budget)
  const stamp = { quoteId: deps.ids.uuid(), expiresAtMs: deps.clock.nowMs() + deps.policy.quoteTtlMs }
  const estimated = priced.request.preferEngine === null && !priced.wrapOnly
  const route = winner
    ? view.venueRoute(priced, [winner, ...others], stamp)
    : estimated
      ? view.marketRoute(priced, stamp)
      : null
  return { route, ...feeEnvelope(request, route !== null) }
}
