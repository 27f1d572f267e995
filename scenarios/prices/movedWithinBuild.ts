import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const movedWithinBuild: Scenario = {
  id: 'prices.moved-within-build',
  story:
    'The price of the winner falls by five per cent after the build asked all venues and before it simulates the settlement. What was quoted cannot be had any more; the build falls through to the next venue.',
  requirements: ['build.skips-reverting', 'build.falls-through', 'confirm.recorded'],
  steps: [
    {
      op: 'meanwhile',
      trip: 0,
      when: 'after',
      steps: [
        { op: 'move-pool', venue: 'venue_c', from: 'ETH', to: 'USDG', against: 'seller', size: 'large' },
      ],
    },
    { ...build('swap'), expect: { status: 200, body: { engine: 'venue_b' } } },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
