import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const somebodyElseSent: Scenario = {
  id: 'hashes.somebody-else-sent',
  story:
    'Somebody else copies the calldata and sends the very same swap from another address. Target, calldata and value match; the sender does not.',
  requirements: ['confirm.match.sender', 'confirm.rejected.mismatched', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_ETH, amount: 0.01, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'copied', change: 'sender' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'copied', state: 'succeeded' },
    report('swap', 'copied', REFUSED, { exercises: ['confirm.match.sender'] }),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
