import type { SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { faultKinds } from '../../src/simulation/faults/faults.ts'
import { setFeedFault } from '../support/venues.ts'
import { judgedQuote } from './served.ts'

/** Swaps that sell the token with the feed, buy it, buy it with ETH, and sell it for a token without a mark or ETH pool. */
const ASKS: readonly SwapParameters[] = [
  { from: 'USDG', to: 'DUSD', amount: 1_000 },
  { from: 'DUSD', to: 'USDG', amount: 1_000 },
  { from: 'ETH', to: 'USDG', amount: 1 },
  { from: 'USDG', to: 'ONLY_D', amount: 1_000 },
]

/** §1: venues price a pair; a USD mark only rates the price and values gas. */
export const deadFeedsCase: Case<'control'> = {
  id: 'quote.dead-feeds',
  title:
    'a USD feed returns zero, then a negative price, then nothing: pairs that venues trade keep their price',
  requirements: ['quote.best-route'],
  uses: ['control'],
  run: async (environment) => {
    const notes: string[] = []
    for (const fault of faultKinds('feed', 'case')) {
      await setFeedFault(environment, 'USDG', fault)
      for (const ask of ASKS) {
        const point = {
          name: `dead-feed.${fault}`,
          requirements: ['quote.best-route'] as const,
          hasExtraFields: false,
        }
        const { route } = await judgedQuote(environment, ask, await environment.unmemoized(), point)
        notes.push(`${fault}: ${ask.from} to ${ask.to} ${route.engine} ${route.amountOut}`)
      }
    }
    return { exercised: notes.length, notes }
  },
}
