import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const cancelled: Scenario = {
  id: 'replacement.cancelled',
  story:
    'The user cancels the waiting swap by an empty transfer to oneself. The swap stays pending for ever, the cancellation is no swap, and a later swap of the same build is credited.',
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.not-found',
    'confirm.recorded',
  ],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'cancel', tx: 'tx', as: 'cancellation' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'cancellation', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    report('swap', 'cancellation', REFUSED, { exercises: ['confirm.replacement.different'] }),
    { op: 'send', build: 'swap', as: 'later' },
    { op: 'mine', blocks: 13 },
    report('swap', 'later', RECORDED, { exercises: ['confirm.match.nonce-free'] }),
  ],
}
