import { expect, test } from 'vitest'
import { failedRequirements } from '../verdict.ts'
import { type Balances, judgeSettlement, type SettlementFacts } from './settlement.ts'

const AMOUNT = 10n ** 18n
const FEE = 2_500_000_000_000_000n // 25 bps
const OUT = 2490123457n
const GAS = 123_456_789n
const before: Balances = {
  userIn: 10n ** 19n,
  userOut: 7n,
  feeWalletIn: 3n,
  recipientIn: 4n,
  strayIn: 0n,
  strayOut: 0n,
}
/** 1 ETH for USDG with the fee inside; changes are added to the balances after. */
const facts = (moved: Partial<Balances>, more: Partial<SettlementFacts> = {}): SettlementFacts => ({
  before,
  after: {
    userIn: before.userIn - AMOUNT - GAS + (moved.userIn ?? 0n),
    userOut: before.userOut + OUT + (moved.userOut ?? 0n),
    feeWalletIn: before.feeWalletIn + (moved.feeWalletIn ?? 0n),
    recipientIn: before.recipientIn + (moved.recipientIn ?? FEE),
    strayIn: moved.strayIn ?? 0n,
    strayOut: moved.strayOut ?? 0n,
  },
  succeeded: true,
  gasPaidWei: GAS,
  inputIsNative: true,
  outputIsNative: false,
  amountInRaw: AMOUNT,
  feeBps: 25,
  feeTransferRaw: null,
  feeTransferSent: false,
  minimumOutRaw: 2477672839n,
  amountOut: 2490.123457,
  toDecimals: 6,
  undisturbed: true,
  deliverableRaw: null,
  ...more,
})
const viaTransfer = { feeTransferRaw: FEE, feeTransferSent: true }
const skipped = { feeTransferRaw: FEE, feeTransferSent: false }
const toWallet = { recipientIn: 0n, feeWalletIn: FEE }
const moved = { undisturbed: false }

test.each([
  ['with the fee inside', facts({})],
  ['with the fee inside, through the fee wallet', facts(toWallet)],
  ['with a fee transfer', facts(toWallet, viaTransfer)],
  ['with the fee transfer skipped', facts({ recipientIn: 0n, userIn: FEE }, skipped)],
  ['without a fee', facts({ recipientIn: 0n }, { feeBps: 0 })],
  ['of an ERC-20', facts({ userIn: GAS }, { inputIsNative: false })],
  [
    'for the native coin',
    facts({ userIn: GAS, userOut: -GAS }, { inputIsNative: false, outputIsNative: true }),
  ],
  ['after the pool moved a little', facts({ userOut: -1_000_000n }, moved)],
  ['at exactly the minimum', facts({ userOut: -12_450_618n }, { ...moved, deliverableRaw: 2477672839n })],
  ['that reverts below the minimum', facts({}, { ...moved, succeeded: false, deliverableRaw: 2477672838n })],
])('an honest swap %s fails nothing', (_case, honest) => {
  expect(failedRequirements(judgeSettlement(honest))).toEqual([])
})

test.each([
  ['builds what reverts', facts({}, { succeeded: false }), ['build.sender.submits']],
  [
    'builds what reverts without the fee transfer',
    facts({}, { ...skipped, succeeded: false }),
    ['build.sender.submits', 'build.fee-transfer.skippable'],
  ],
  ['takes one wei more', facts({ userIn: -1n }), ['fees.only-partner']],
  ['leaves dust in the settlement contract', facts({ strayIn: 1n }), ['fees.only-partner']],
  [
    'leaves output in the settlement contract',
    facts({ strayOut: 1n, userOut: -1n }),
    ['fees.only-partner', 'build.requotes.live', 'route.amount-out', 'fees.total.baked-in'],
  ],
  [
    'shows an output one base unit too high',
    facts({ userOut: -1n }),
    ['build.requotes.live', 'route.amount-out', 'fees.total.baked-in'],
  ],
  [
    'pays the user less than the minimum',
    facts({ userOut: -12_450_619n }, moved),
    ['build.minimum.guarantee'],
  ],
  [
    'goes through below the minimum',
    facts({ userOut: -12_450_619n }, { ...moved, deliverableRaw: 2477672838n }),
    ['build.minimum.reverts', 'build.minimum.guarantee'],
  ],
  [
    'reverts at exactly the minimum',
    facts({}, { ...moved, succeeded: false, deliverableRaw: 2477672839n }),
    ['build.sender.submits', 'build.minimum.encoded'],
  ],
  ['keeps the fee inside for itself', facts({ recipientIn: 0n }), ['build.fee-inside-tx']],
  ['pays half of the fee', facts({ recipientIn: FEE / 2n }), ['build.fee-inside-tx']],
  ['takes a fee that nobody asked for', facts({}, { feeBps: 0 }), ['fees.service-charges-nothing']],
  [
    'takes the fee twice, by transfer and inside',
    facts({ feeWalletIn: FEE }, viaTransfer),
    ['build.fee-transfer.sum'],
  ],
  [
    'takes the fee though the transfer was skipped',
    facts({ userIn: FEE }, skipped),
    ['build.fee-transfer.skipped-uncollected'],
  ],
  [
    'does not carve the fee transfer out',
    facts({ ...toWallet, userIn: -FEE }, viaTransfer),
    ['fees.only-partner'],
  ],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeSettlement(broken))).toEqual(failed)
})

test('a revert for which nobody knows what the pool delivers is not held against the service', () => {
  const verdicts = judgeSettlement(facts({}, { ...moved, succeeded: false }))
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['observed'])
})
