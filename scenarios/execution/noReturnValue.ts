import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const noReturnValue: Scenario = {
  id: 'execution.no-return-value',
  story:
    'MUTE is an early kind of token: its transfers and approvals work and answer nothing. It is outside the registry, so what arrives of it must be found out; it is priced, sold and attributed like any other. FALSY answers that every transfer failed, and nothing can be promised of it.',
  requirements: ['quote.unknown-token.priced', 'build.unknown-token.built', 'confirm.recorded'],
  steps: [
    {
      op: 'quote',
      key: 'one',
      query: { from: 'ETH', to: 'MUTE', amount: 0.5 },
      expect: { status: 200, body: { 'route.executable': true, 'route.engine': 'venue_a' } },
    },
    {
      op: 'quote',
      key: 'one',
      query: { from: 'ETH', to: 'FALSY', amount: 0.5 },
      expect: { status: 200, body: { route: null } },
    },
    build('swap', { from: 'MUTE', to: 'ETH', amount: 100 }),
    { op: 'approve', build: 'swap' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
