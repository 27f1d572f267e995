import type { Scenario } from '../../src/runner/scenario.ts'
import { build, report, SENT_AND_DEEP } from '../common.ts'

export const revokedBeforeConfirm: Scenario = {
  id: 'keys.revoked-before-confirm',
  story:
    'The key is revoked between build and confirm. A build belongs to an active key: the report is refused, and no other key inherits the build, not even one of the same partner.',
  requirements: ['auth.build-of-active-key', 'confirm.build-not-found'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'revoke-key', key: 'one' },
    report('swap', 'tx', { status: 401 }),
    { op: 'issue-key', as: 'fresh', partner: 'partner-one', kind: 'individual' },
    report('swap', 'tx', { status: 404 }, { key: 'fresh' }),
  ],
}
