import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import { createQuoter, createRouteView, orderOf, startBudget } from '../../src/service/testing.ts'
import { FEE_TRANSFER_VENUES } from '../../src/spec/venues.ts'
import { changeBuild, changePricing, changeRanking } from './helpers/rules.ts'
import { fieldsOf, isFor, jsonOf, wrapService } from './helpers/wire.ts'

/** Builds on the venue that quotes best, with the figures of that quote, without a simulation. */
const neverSimulating = changeBuild((build, deps) => {
  const quoter = createQuoter(deps)
  const view = createRouteView(deps.manifest)
  return async (request, caller) => {
    const honest = await build(request, caller)
    const priced = await quoter.price(request, startBudget(deps.clock, deps.policy.buildBudgetMs))
    const [best, ...others] = priced.ranked
    if (best === undefined) return honest
    const order = orderOf(priced, best.amountOutRaw, request.sender)
    const { feeTransfer, valueRaw, ...settled } = best.venue.settle(best.way, order)
    const stamp = { quoteId: honest.route.quoteId, expiresAtMs: honest.route.expiresAt }
    return {
      ...honest,
      route: view.venueRoute(priced, [best, ...others], stamp),
      engine: best.venue.id,
      tx: { ...honest.tx, ...settled, value: valueRaw.toString() },
      feeTransfer,
    }
  }
})

/** §1, §4.2: mistakes in choosing the venue of a build. */
export const buildRuleDefects: readonly Defect[] = [
  defect(
    'build.only-the-best-venue',
    'build.falls-through',
    'when the best venue would revert, no other venue is tried',
    changeRanking((ranked) => ranked.slice(0, 1), 'build'),
  ),
  defect(
    'build.three-venues-at-most',
    'build.falls-through',
    'a build gives up after three venues that would revert',
    changeRanking((ranked) => ranked.slice(0, 3), 'build'),
  ),
  defect(
    'build.fee-transfer-venues-left-out',
    'build.falls-through',
    'a build with a fee falls through to no venue that needs a fee transfer',
    changeRanking(
      (ranked, { feeRaw }) =>
        ranked.filter(
          ({ venue }, index) => index === 0 || feeRaw === 0n || !FEE_TRANSFER_VENUES.has(venue.id),
        ),
      'build',
    ),
  ),
  defect(
    'build.never-simulated',
    'build.falls-through',
    'the venue that quotes best is built without a simulation',
    neverSimulating,
  ),
  defect(
    'build.amounts-of-the-quote',
    'build.requotes',
    'a build shows the amounts of the last quote of the pair',
    wrapService((inject) => {
      const quoted = new Map<string, Record<string, number>>()
      return async (request) => {
        const answer = await inject(request)
        if (answer.statusCode !== 200) return answer
        const { from, to, amount } = fieldsOf(request)
        const pair = `${from} ${to} ${amount}`
        const body = jsonOf(answer)
        if (isFor('quote', request) && body.route) {
          const { amountOut, minimumReceived, midRate } = body.route
          quoted.set(pair, { amountOut, minimumReceived, midRate })
        }
        if (!isFor('build', request)) return answer
        Object.assign(body.route, quoted.get(pair))
        return { ...answer, body: JSON.stringify(body) }
      }
    }),
  ),
  defect(
    'build.on-prices-of-the-first-quote',
    'build.requotes',
    'a build uses the prices of the first quote of the pair',
    changePricing((price) => {
      const known = new Map<string, ReturnType<typeof price>>()
      return async (request, budget) => {
        const key = JSON.stringify([request.from, request.to, request.amount, request.preferEngine])
        const priced = known.get(key) ?? price(request, budget)
        known.set(key, priced)
        return { ...(await priced), request }
      }
    }),
  ),
]
