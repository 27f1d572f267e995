import type { Scenario } from '../../src/runner/scenario.ts'
import { build, REFUSED, report, SELL_ETH } from '../common.ts'

export const movedPastSlippage: Scenario = {
  id: 'prices.moved-past-slippage',
  story:
    'The price moves by five per cent after the build, far past the slippage. The calldata holds the minimum, so the transaction reverts and the user loses gas only; it is no swap to be credited.',
  requirements: ['build.minimum.reverts', 'build.minimum.guarantee', 'confirm.rejected.reverted'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_a' }),
    { op: 'move-pool', venue: 'venue_a', from: 'ETH', to: 'USDG', against: 'seller', size: 'large' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'tx', state: 'reverted' },
    report('swap', 'tx', REFUSED),
  ],
}
