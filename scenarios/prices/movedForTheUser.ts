import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const movedForTheUser: Scenario = {
  id: 'prices.moved-for-the-user',
  story:
    'The price moves in favour of the user between build and execution. The transaction is the same, so it matches, whatever more it brought.',
  requirements: ['confirm.recorded', 'build.minimum.guarantee'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_e' }),
    { op: 'move-pool', venue: 'venue_e', from: 'ETH', to: 'USDG', against: 'buyer', size: 'large' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
