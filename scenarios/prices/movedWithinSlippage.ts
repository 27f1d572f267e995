import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const movedWithinSlippage: Scenario = {
  id: 'prices.moved-within-slippage',
  story:
    'The price moves a little against the user after the build, less than the slippage allows. The swap still delivers its minimum and is credited.',
  requirements: ['build.minimum.guarantee', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_a' }),
    { op: 'move-pool', venue: 'venue_a', from: 'ETH', to: 'USDG', against: 'seller', size: 'small' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
