import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_DOLLARS } from '../common.ts'

export const talkingNonsense: Scenario = {
  id: 'fall-through.talking-nonsense',
  story:
    'One venue after another promises the largest number there is. Who believes it ranks it first; an absurd answer is no answer.',
  requirements: ['quote.best-route', 'build.no-executable-route.no-venue'],
  steps: [
    { ...build('whole', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_e' } } },
    { op: 'fault', venue: 'venue_e', kind: 'nonsense-on-quote', value: 2 },
    { ...build('without-1', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_c' } } },
    { op: 'fault', venue: 'venue_c', kind: 'nonsense-on-quote', value: 2 },
    { ...build('without-2', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_d' } } },
    { op: 'fault', venue: 'venue_d', kind: 'nonsense-on-quote', value: 2 },
    { ...build('without-3', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_f' } } },
    { op: 'fault', venue: 'venue_f', kind: 'nonsense-on-quote', value: 2 },
    { ...build('without-4', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_b' } } },
    { op: 'fault', venue: 'venue_b', kind: 'nonsense-on-quote', value: 2 },
    { ...build('without-5', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_a' } } },
    { op: 'fault', venue: 'venue_a', kind: 'nonsense-on-quote', value: 2 },
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
