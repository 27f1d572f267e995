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

/** The rules of the service, each as a function. */
interface Rules {
  readonly quote: Domain['quoter']['quote']
  readonly build: Domain['builder']['build']
  readonly confirm: Domain['confirmer']['confirm']
  readonly authenticate: Domain['partners']['authenticate']
  readonly report: Domain['partners']['report']
}

/** Returns the service with other rules behind the same endpoints; these may call the right ones and keep state until a restart. */
export function changeRules(change: (rules: Rules, deps: ServiceDeps) => Partial<Rules>): ServiceSeams {
  return {
    domain: (domain, deps) => {
      const { quoter, builder, confirmer, partners } = domain
      const right: Rules = {
        quote: (...asked) => quoter.quote(...asked),
        build: (...asked) => builder.build(...asked),
        confirm: (...asked) => confirmer.confirm(...asked),
        authenticate: (...asked) => partners.authenticate(...asked),
        report: (...asked) => partners.report(...asked),
      }
      const { quote, build, confirm, authenticate, report } = { ...right, ...change(right, deps) }
      return {
        ...domain,
        quoter: { quote },
        builder: { build },
        confirmer: { confirm },
        partners: { authenticate, report },
      }
    },
  }
}

/** Returns the service with one other rule. */
const changeRule =
  <Name extends keyof Rules>(name: Name) =>
  (make: (right: Rules[Name], deps: ServiceDeps) => Rules[Name]): ServiceSeams =>
    changeRules((rules, deps) => ({ [name]: make(rules[name], deps) }))

export const changeQuote = changeRule('quote')
export const changeBuild = changeRule('build')
export const changeConfirm = changeRule('confirm')
export const changeReport = changeRule('report')
export const changeKeys = changeRule('authenticate')

/** Pricing of a broken service, which may call the right one, with another request or several times. */
type Pricing = (price: Quoter['price'], deps: ServiceDeps) => Quoter['price']

/** Returns the service with other prices for quotes, builds or both. */
export function changePricing(make: Pricing, where: 'quote' | 'build' | 'both' = 'both'): ServiceSeams {
  return changeRules((_rules, deps) => {
    const honest = createQuoter(deps)
    const price = make(honest.price, deps)
    const builder = createBuilder(deps, { ...honest, price })
    return {
      ...(where !== 'build' && { quote: (request) => quoteOf(deps, price, request) }),
      ...(where !== 'quote' && { build: (...asked) => builder.build(...asked) }),
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
