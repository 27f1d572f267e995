import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH } from '../common.ts'

export const feeTransferReported: Scenario = {
  id: 'hashes.fee-transfer-reported',
  story:
    'The order book takes its partner fee as a transfer before the swap, and the client reports the hash of that transfer. It is refused; the swap is credited.',
  requirements: ['confirm.not-the-fee-transfer', 'confirm.rejected.mismatched', 'confirm.recorded'],
  steps: [
    build('swap', {
      ...SELL_ETH,
      preferEngine: 'venue_c',
      partnerFeeBps: 50,
      partnerFeeRecipient: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    }),
    { op: 'pay-fee', build: 'swap' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'swap-fee', state: 'succeeded' },
    report('swap', 'swap-fee', REFUSED, { exercises: ['confirm.not-the-fee-transfer'] }),
    report('swap', 'tx', RECORDED),
  ],
}
