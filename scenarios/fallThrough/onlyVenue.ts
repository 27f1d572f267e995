import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const onlyVenue: Scenario = {
  id: 'fall-through.only-venue',
  story:
    'HOOD trades on one venue only, and that venue reverts. There is nothing to fall through to: 422, and no market estimate in its place.',
  requirements: ['build.no-executable-route.no-venue', 'build.no-executable-route.body'],
  steps: [
    { op: 'fault', venue: 'venue_f', kind: 'revert-on-swap' },
    {
      op: 'build',
      as: 'none',
      key: 'one',
      sender: 'alice',
      body: { from: 'HOOD', to: 'USDG', amount: 3 },
      expect: { status: 422, body: { error: 'no executable route' } },
    },
    { op: 'heal' },
    {
      ...build('swap', { from: 'HOOD', to: 'USDG', amount: 3 }),
      expect: { status: 200, body: { engine: 'venue_f' } },
    },
    { op: 'approve', build: 'swap' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
