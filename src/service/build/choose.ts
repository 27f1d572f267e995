import type { Budget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError, NoExecutableRouteError } from '../errors.ts'
import { orderOf } from '../quote/presimulate.ts'
import type { Priced } from '../quote/price.ts'
import { type Candidate, rank } from '../quote/ranking.ts'
import type { Address } from '../requests.ts'
import { simulateSettlement } from '../venues/simulateSettlement.ts'

/**
 * Chooses the venue to build, in ranking order (§4.2 rule 1). Each settlement is simulated; a venue that would revert is
 * skipped. A venue that would deliver a different amount than it quoted is ranked again by the delivered amount, so the
 * chosen venue delivers at least what any other venue quotes.
 *
 * @returns the chosen candidate with its simulated output, followed by those ranked behind it.
 * @throws {NoExecutableRouteError} no venue can build the trade now.
 * @throws {ChainUnavailableError} no venue could be built, at least one of them because the chain cannot be read.
 */
export async function chooseVenue(
  deps: ServiceDeps,
  priced: Priced,
  sender: Address,
  budget: Budget,
): Promise<readonly [Candidate, ...Candidate[]]> {
  const reasons: Record<string, string> = { ...priced.refusals }
  let queue = priced.ranked
  let broken: ChainUnavailableError | null = null
  const verified = new Set<Candidate>()
  for (let [next, ...rest] = queue; next !== undefined; [next, ...rest] = queue) {
    if (verified.has(next)) return [next, ...rest]
    const order = orderOf(priced, next.amountOutRaw, sender)
    const settlement = next.venue.settle(next.way, order)
    try {
      const timeoutMs = budget.atMost(deps.policy.rpcTimeoutMs)
      const outcome = await simulateSettlement(deps, order, settlement, null, timeoutMs)
      if (!outcome.delivered) {
        reasons[next.venue.id] = outcome.reason
        queue = rest
        continue
      }
      const simulated = { ...next, amountOutRaw: outcome.amountOutRaw }
      verified.add(simulated)
      queue = rank([simulated, ...rest])
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error
      reasons[next.venue.id] = error.message
      broken = error
      queue = rest
    }
  }
  if (broken === null) throw new NoExecutableRouteError(reasons)
  deps.log.info('build.no-route', { reasons })
  throw broken
}
