import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_DOLLARS } from '../common.ts'

export const reverting: Scenario = {
  id: 'fall-through.reverting',
  story:
    'One venue after another reverts when swapped, though all still quote. The build passes over them in the order of the ranking, to the very last; when all revert there is no executable route, and when they are well the first is first again.',
  requirements: ['build.falls-through', 'build.skips-reverting', 'build.no-executable-route.no-venue'],
  steps: [
    { ...build('whole', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_e' } } },
    { op: 'fault', venue: 'venue_e', kind: 'revert-on-swap' },
    { ...build('without-1', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_c' } } },
    { op: 'fault', venue: 'venue_c', kind: 'revert-on-swap' },
    { ...build('without-2', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_d' } } },
    { op: 'fault', venue: 'venue_d', kind: 'revert-on-swap' },
    { ...build('without-3', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_f' } } },
    { op: 'fault', venue: 'venue_f', kind: 'revert-on-swap' },
    { ...build('without-4', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_b' } } },
    { op: 'fault', venue: 'venue_b', kind: 'revert-on-swap' },
    { ...build('without-5', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_a' } } },
    { op: 'fault', venue: 'venue_a', kind: 'revert-on-swap' },
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
