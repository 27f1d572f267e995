import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const feeTransferSkipped: Scenario = {
  id: 'hashes.fee-transfer-skipped',
  story:
    'The user skips the fee transfer and sends the swap alone. Skipping does not break the swap, and the swap is credited as it stands.',
  requirements: ['build.fee-transfer.skippable', 'confirm.recorded'],
  steps: [
    build('swap', {
      ...SELL_ETH,
      preferEngine: 'venue_c',
      partnerFeeBps: 50,
      partnerFeeRecipient: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    }),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
