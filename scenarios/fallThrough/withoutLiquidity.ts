import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_DOLLARS } from '../common.ts'

export const withoutLiquidity: Scenario = {
  id: 'fall-through.without-liquidity',
  story:
    'One venue after another runs dry and neither quotes nor swaps. The next in the ranking wins; with the last one gone there is no executable route.',
  requirements: ['build.no-executable-route.no-venue', 'quote.best-route'],
  steps: [
    { ...build('whole', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_e' } } },
    { op: 'fault', venue: 'venue_e', kind: 'no-liquidity' },
    { ...build('without-1', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_c' } } },
    { op: 'fault', venue: 'venue_c', kind: 'no-liquidity' },
    { ...build('without-2', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_d' } } },
    { op: 'fault', venue: 'venue_d', kind: 'no-liquidity' },
    { ...build('without-3', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_f' } } },
    { op: 'fault', venue: 'venue_f', kind: 'no-liquidity' },
    { ...build('without-4', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_b' } } },
    { op: 'fault', venue: 'venue_b', kind: 'no-liquidity' },
    { ...build('without-5', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_a' } } },
    { op: 'fault', venue: 'venue_a', kind: 'no-liquidity' },
    {
      op: 'build',
      as: 'none',
      key: 'one',
      sender: 'alice',
      body: SELL_DOLLARS,
      expect: { status: 422, body: { error: 'no executable route' } },
    },
    { op: 'heal' },
    { ...build('healed', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_e' } } },
  ],
}
