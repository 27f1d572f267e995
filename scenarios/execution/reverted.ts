import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const reverted: Scenario = {
  id: 'execution.reverted',
  story:
    'The swap reverts on the chain. While it is shallow a reorganisation could still change that, so the report is pending; deep down it is refused, and a second try of the same build is credited.',
  requirements: ['confirm.rejected.reverted', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_a' }),
    { op: 'fault', venue: 'venue_a', kind: 'revert-on-swap' },
    { op: 'send', build: 'swap', as: 'failed' },
    { op: 'mine', blocks: 1 },
    { op: 'look', tx: 'failed', state: 'reverted' },
    report('swap', 'failed', PENDING),
    { op: 'mine', blocks: 10 },
    report('swap', 'failed', PENDING),
    { op: 'mine', blocks: 1 },
    report('swap', 'failed', REFUSED),
    { op: 'mine', blocks: 1 },
    report('swap', 'failed', REFUSED),
    { op: 'heal' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
