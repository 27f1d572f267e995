import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Scenario } from '../../src/runner/scenario.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import { SELL_ETH } from '../common.ts'

/** A quote for Alice, which no memo knows, and what its route must be. */
function quote(slippageBps: number, body: Record<string, string | null>): StepInput {
  const query = { ...SELL_ETH, sender: ACCOUNTS.alice.address, slippageBps }
  return { op: 'quote', key: 'one', query, expect: { status: 200, body } }
}

const BEST_FIRST = { 'route.engine': 'venue_c', 'route.alternatives.0.engine': 'venue_c' }

export const revertingOnQuote: Scenario = {
  id: 'fall-through.reverting-on-quote',
  story:
    'Alice sells ETH, and says so when she asks for quotes. The two best venues still quote and revert when swapped: the quote leaves them out. Forced, the best one is no route at all; asked by nobody, it is the best one again.',
  requirements: ['quote.sender.pre-simulation', 'quote.prefer-engine.null-when-unpriced'],
  steps: [
    quote(61, BEST_FIRST),
    { op: 'fault', venue: 'venue_c', kind: 'revert-on-swap' },
    quote(62, { 'route.engine': 'venue_b', 'route.alternatives.0.engine': 'venue_b' }),
    { op: 'fault', venue: 'venue_b', kind: 'revert-on-swap' },
    quote(63, { 'route.engine': 'venue_e', 'route.alternatives.0.engine': 'venue_e' }),
    {
      op: 'quote',
      key: 'one',
      query: { ...SELL_ETH, sender: ACCOUNTS.alice.address, preferEngine: 'venue_c' },
      expect: { status: 200, body: { route: null } },
    },
    { op: 'quote', key: 'one', query: SELL_ETH, expect: { status: 200, body: BEST_FIRST } },
    { op: 'heal' },
    quote(64, BEST_FIRST),
  ],
}
