import { demandRoute } from '../src/harness/judgeSwap.ts'
import { judgeContext } from '../src/harness/lifecycle.ts'
import type { Property } from '../src/harness/properties.ts'
import { PromiseBrokenError } from '../src/harness/suite.ts'
import { parametersOf, type SwapAsk } from '../src/harness/swapFacts.ts'
import { worldClient } from '../src/harness/worldArena.ts'
import type { World } from '../src/simulation/world.ts'
import { asks, labelsOf } from './asks.ts'

/** Every quote against every oracle: shape, arithmetic, ranking, and each venue's output against the exact models. */
export const quoteKeepsItsPromises: Property<World, SwapAsk> = {
  id: 'quote.keeps-its-promises',
  title:
    'the ranking follows netAmountOut, minimumReceived matches the slippage, outputs equal the exact models',
  requirements: [
    'quote.ranking.after-gas',
    'alternatives.net',
    'alternatives.delta',
    'alternatives.complete',
    'route.minimum-received.floor',
    'amounts.net-of-fee',
  ],
  inputs: asks,
  runs: 120,
  floors: {
    'fee-max': 5,
    'fee-none': 5,
    'slippage-zero': 5,
    'slippage-max': 5,
    'native-in': 5,
    'native-out': 5,
    routed: 60,
  },
  holds: async (world, ask) => {
    const context = await judgeContext(world)
    const answer = await worldClient(world).quote(parametersOf(world.manifest, ask))
    if (answer.status !== 200)
      throw new PromiseBrokenError('quote.no-price.not-an-error', 'status 200', `status ${answer.status}`)
    const route = demandRoute('quote', answer.json as Record<string, unknown>, ask, context)
    // The memo must not answer the next input from this one's block.
    world.clock.advanceBy(2_000)
    return [...labelsOf(ask), route === null ? 'no-route' : 'routed']
  },
}
