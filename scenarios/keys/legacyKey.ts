import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const legacyKey: Scenario = {
  id: 'keys.legacy-key',
  story:
    'The legacy shared key builds as well as any other, but without attribution, and it owns no build: reporting somebody else’s finds nothing.',
  requirements: ['auth.legacy-null', 'attribution.null-when-unsupported', 'confirm.build-not-found'],
  steps: [
    { ...build('shared', SELL_ETH, 'legacy'), expect: { status: 200, body: { attribution: null } } },
    build('swap'),
    ...SENT_AND_DEEP,
    report('swap', 'tx', { status: 404 }, { key: 'legacy' }),
    report('swap', 'tx', RECORDED),
  ],
}
