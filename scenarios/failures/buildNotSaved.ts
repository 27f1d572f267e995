import type { Scenario } from '../../src/runner/scenario.ts'
import { build, LOST_BUILD, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const buildNotSaved: Scenario = {
  id: 'failures.build-not-saved',
  story:
    'The store is away when a build is to be saved. A build that nobody remembers could never be confirmed, so none is handed out: 502. The next one is saved and lives to its credit.',
  requirements: ['build.upstream-failure', 'confirm.recorded'],
  steps: [
    { op: 'store-fault', kind: 'down', method: 'insertBuild', calls: 1 },
    LOST_BUILD,
    build('swap'),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
