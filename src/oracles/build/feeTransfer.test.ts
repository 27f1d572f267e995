import { expect, test } from 'vitest'
import { feeIsFair, feeOf } from '../amounts/fee.ts'
import { FEE_WALLET, NATIVE, RECIPIENT, USDG } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { type FeeTransferFacts, judgeFeeTransfer } from './feeTransfer.ts'

const transfer = { token: 'native', to: FEE_WALLET, amountRaw: '2500000000000000' }
const facts = (feeTransfer: unknown, more: Partial<FeeTransferFacts> = {}): FeeTransferFacts => ({
  feeTransfer,
  engine: 'venue_c',
  feeBps: 25,
  amountInRaw: 10n ** 18n,
  inputIsNative: true,
  tokenIn: NATIVE,
  feeWallet: FEE_WALLET,
  feeInsideRaw: 0n,
  ...more,
})
const usdg = { inputIsNative: false, tokenIn: USDG, amountInRaw: 1_000_001n }

test('a fee is cut or rounded up, and exact where it comes out whole', () => {
  expect(feeOf(999n, 25)).toBe(2n)
  const fair = (amount: bigint) => [0n, 1n, 2n, 3n, 4n].filter((fee) => feeIsFair(fee, amount, 25))
  expect(fair(999n)).toEqual([2n, 3n])
  expect(fair(400n)).toEqual([1n])
})

test.each([
  ['of the native coin', facts(transfer)],
  [
    'of an ERC-20',
    facts({ ...transfer, token: USDG.toUpperCase().replace('0X', '0x'), amountRaw: '2500' }, usdg),
  ],
  ['without a fee', facts(null, { feeBps: 0 })],
  ['without a fee, of nothing', facts({ ...transfer, amountRaw: '0' }, { feeBps: 0 })],
  ['with a fee inside the transaction', facts(null, { engine: 'venue_a' })],
  ['of a venue that attaches one by itself', facts(transfer, { engine: 'venue_b' })],
  ['of a fee below one base unit', facts(null, { amountInRaw: 3n })],
  ['of a fee below one base unit, of nothing', facts({ ...transfer, amountRaw: '0' }, { amountInRaw: 3n })],
  ['that the calldata pays', facts(null, { feeInsideRaw: 2_500_000_000_000_000n })],
  ['that unread calldata may pay', facts(null, { feeInsideRaw: null })],
  ['outside a sandbox', facts({ ...transfer, to: RECIPIENT }, { feeWallet: null })],
])('an honest fee transfer %s fails nothing', (_case, honest) => {
  expect(failedRequirements(judgeFeeTransfer(honest))).toEqual([])
})

test.each([
  ['forgets it for venue_c', facts(null), ['build.fee-transfer.venues']],
  ['pays half of it inside', facts(null, { feeInsideRaw: 1n }), ['build.fee-transfer.venues']],
  ['forgets it for venue_d', facts(null, { engine: 'venue_d' }), ['build.fee-transfer.venues']],
  [
    'asks for it without a fee',
    facts(transfer, { feeBps: 0 }),
    ['build.fee-transfer.only-with-fee', 'fee-transfer.amount-raw'],
  ],
  ['sends it to the partner', facts({ ...transfer, to: RECIPIENT }), ['fee-transfer.to']],
  ['writes native as an address', facts({ ...transfer, token: NATIVE }), ['fee-transfer.token']],
  ['writes an ERC-20 as native', facts({ ...transfer, amountRaw: '2500' }, usdg), ['fee-transfer.token']],
  [
    'takes the fee on what is left',
    facts({ ...transfer, amountRaw: '2493750000000000' }),
    ['fee-transfer.amount-raw'],
  ],
  [
    'rounds it up where it is whole',
    facts({ ...transfer, amountRaw: '2500000000000001' }),
    ['fee-transfer.amount-raw'],
  ],
  [
    'writes human units',
    facts({ ...transfer, amountRaw: '0.0025' }),
    ['build.response.fee-transfer', 'fee-transfer.amount-raw', 'amounts.base-unit-strings'],
  ],
  [
    'writes a number',
    facts({ ...transfer, amountRaw: 2500 }),
    ['build.response.fee-transfer', 'fee-transfer.amount-raw', 'amounts.base-unit-strings'],
  ],
  [
    'leaves the payee out',
    facts({ ...transfer, to: undefined }),
    ['build.response.fee-transfer', 'fee-transfer.to'],
  ],
  ['leaves the field out', facts(undefined), ['build.response.fee-transfer']],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeFeeTransfer(broken))).toEqual(failed)
})
