import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, TAKEN } from '../common.ts'

export const higherFee: Scenario = {
  id: 'replacement.higher-fee',
  story:
    'The user replaces the waiting swap by the same one with higher fees. The new hash still matches the build and is credited; the old one never comes into a block and stays pending.',
  requirements: [
    'confirm.replacement.matching',
    'confirm.match.gas-price-free',
    'confirm.recorded',
    'confirm.pending',
    'confirm.not-found',
  ],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'replace', tx: 'tx', as: 'dearer' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'tx', state: 'unknown' },
    { op: 'look', tx: 'dearer', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    report('swap', 'dearer', RECORDED, {
      exercises: ['confirm.replacement.matching', 'confirm.match.gas-price-free'],
    }),
    report('swap', 'tx', TAKEN),
  ],
}
