import type { Budget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError } from '../errors.ts'
import { type Answers, ask, type VenueAnswer } from './ask.ts'
import type { Plan } from './plan.ts'

/**
 * Queries all venues in one round trip. When that fails or takes too long, queries each venue separately, concurrently, each with its
 * own deadline, so that a slow venue delays only itself.
 *
 * @throws {ChainUnavailableError} no venue could be queried.
 */
export async function fanOut(
  deps: ServiceDeps,
  plan: Plan,
  amountRaw: bigint,
  budget: Budget,
): Promise<Answers> {
  try {
    return await ask(deps, plan, amountRaw, budget.atMost(deps.policy.fanOutTimeoutMs))
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error
    if (plan.venues.length + spotPlansOf(plan).length < 2) throw error
    deps.log.warn('quote.fan-out-failed', { problem: error.message })
    return askAlone(deps, plan, amountRaw, budget, error)
  }
}

async function askAlone(
  deps: ServiceDeps,
  plan: Plan,
  amountRaw: bigint,
  budget: Budget,
  cause: ChainUnavailableError,
): Promise<Answers> {
  const timeoutMs = budget.atMost(deps.policy.venueTimeoutMs)
  const askEach = (plans: readonly Plan[]) =>
    Promise.allSettled(plans.map((each) => ask(deps, each, amountRaw, timeoutMs)))
  const [venues, spots] = await Promise.all([
    askEach(plan.venues.map((venue) => ({ ...plan, venues: [venue], spotIn: null, spotOut: null }))),
    askEach(spotPlansOf(plan)),
  ])
  const unexpected = [...venues, ...spots].find(
    (result) => result.status === 'rejected' && !(result.reason instanceof ChainUnavailableError),
  )
  if (unexpected?.status === 'rejected') throw unexpected.reason
  const first = venues.find((result) => result.status === 'fulfilled')
  if (first === undefined) throw new ChainUnavailableError('no venue could be queried', { cause })
  const [spot] = spots
  const { spotIn, spotOut } = (spot?.status === 'fulfilled' ? spot : first).value.facts
  return {
    facts: { ...first.value.facts, spotIn, spotOut },
    venues: plan.venues.map(({ venue }, index): VenueAnswer => {
      const result = venues[index]
      const answer = result?.status === 'fulfilled' ? result.value.venues[0] : undefined
      return answer ?? { venue, refusal: 'did not reply in time' }
    }),
  }
}

/** Plans the venue queries that price gas in the output token, separately, so that a slow venue delays no other. */
function spotPlansOf(plan: Plan): readonly Plan[] {
  return plan.spotIn === null && plan.spotOut === null ? [] : [{ ...plan, venues: [] }]
}
