import type { Budget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError } from '../errors.ts'
import { type Answers, ask, type VenueAnswer } from './ask.ts'
import type { Plan } from './plan.ts'

/**
 * Asks all venues in one round trip. When that fails or takes too long, asks each venue alone, all at once, each with its
 * own deadline: a venue that is slow on the node then costs only itself.
 *
 * @throws {ChainUnavailableError} nothing answered at all.
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
    if (plan.venues.length < 2) throw error
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
  const settled = await Promise.allSettled(
    plan.venues.map((venue) => ask(deps, { ...plan, venues: [venue] }, amountRaw, timeoutMs)),
  )
  const unexpected = settled.find(
    (result) => result.status === 'rejected' && !(result.reason instanceof ChainUnavailableError),
  )
  if (unexpected?.status === 'rejected') throw unexpected.reason
  const first = settled.find((result) => result.status === 'fulfilled')
  if (first === undefined) throw new ChainUnavailableError('no venue could be asked', { cause })
  return {
    facts: first.value.facts,
    venues: plan.venues.map(({ venue }, index): VenueAnswer => {
      const result = settled[index]
      const answer = result?.status === 'fulfilled' ? result.value.venues[0] : undefined
      return answer ?? { venue, refusal: 'gave no answer in time' }
    }),
  }
}
