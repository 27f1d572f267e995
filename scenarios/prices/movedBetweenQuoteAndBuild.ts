import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const movedBetweenQuoteAndBuild: Scenario = {
  id: 'prices.moved-between-quote-and-build',
  story:
    'The quote names the order book as the best venue; then its price falls, and the build goes by the pools as they are now, to the next venue. The quote was no promise; the minimum of the build is.',
  requirements: ['build.requotes', 'build.requotes.live', 'build.may-differ-from-quote', 'confirm.recorded'],
  steps: [
    {
      op: 'quote',
      key: 'one',
      query: SELL_ETH,
      expect: { status: 200, body: { 'route.engine': 'venue_c' } },
    },
    { op: 'move-pool', venue: 'venue_c', from: 'ETH', to: 'USDG', against: 'seller', size: 'large' },
    { ...build('swap'), expect: { status: 200, body: { engine: 'venue_b' } } },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
