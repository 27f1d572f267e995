import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_DOLLARS } from '../common.ts'

export const burningGasOnQuote: Scenario = {
  id: 'fall-through.burning-gas-on-quote',
  story:
    'One venue after another uses up all the gas that a quote is given. Each venue has its own limit, so the others answer as before.',
  requirements: ['quote.best-route', 'build.no-executable-route.no-venue'],
  steps: [
    { ...build('whole', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_e' } } },
    { op: 'fault', venue: 'venue_e', kind: 'burn-gas-on-quote' },
    { ...build('without-1', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_c' } } },
    { op: 'fault', venue: 'venue_c', kind: 'burn-gas-on-quote' },
    { ...build('without-2', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_d' } } },
    { op: 'fault', venue: 'venue_d', kind: 'burn-gas-on-quote' },
    { ...build('without-3', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_f' } } },
    { op: 'fault', venue: 'venue_f', kind: 'burn-gas-on-quote' },
    { ...build('without-4', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_b' } } },
    { op: 'fault', venue: 'venue_b', kind: 'burn-gas-on-quote' },
    { ...build('without-5', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_a' } } },
    { op: 'fault', venue: 'venue_a', kind: 'burn-gas-on-quote' },
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
