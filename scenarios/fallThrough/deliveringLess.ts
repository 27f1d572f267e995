import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_DOLLARS } from '../common.ts'

export const deliveringLess: Scenario = {
  id: 'fall-through.delivering-less',
  story:
    'The winner quotes as ever and delivers three per cent less, which only the simulation shows. The build goes to a venue that keeps its word; when that venue is forced, what was quoted cannot be had and there is no route.',
  requirements: ['build.skips-reverting', 'build.falls-through', 'build.prefer-engine.forces'],
  steps: [
    { op: 'fault', venue: 'venue_e', kind: 'move-on-swap', value: 300 },
    { ...build('swap', SELL_DOLLARS), expect: { status: 200, body: { engine: 'venue_c' } } },
    {
      op: 'build',
      as: 'forced',
      key: 'one',
      sender: 'alice',
      body: { ...SELL_DOLLARS, preferEngine: 'venue_e' },
      expect: { status: 422, body: { error: 'no executable route' } },
    },
  ],
}
