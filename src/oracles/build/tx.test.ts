import { expect, test } from 'vitest'
import { SETTLEMENT, settlementSwap, tx, USER, VENUE } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { approvalOf, judgeTx, type TxFacts } from './tx.ts'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const native = (change: object, more: Partial<TxFacts> = {}): TxFacts => ({
  tx: { ...tx, ...change },
  inputIsNative: true,
  amountInRaw: 10n ** 18n,
  feeTransferRaw: 0n,
  approval: null,
  ...more,
})
const erc20 = (change: object, kind: 'erc20' | 'permit2' = 'erc20'): TxFacts => ({
  ...native({ value: '0', allowanceTarget: SETTLEMENT, permit2: kind === 'permit2', ...change }),
  inputIsNative: false,
  approval: { kind, spender: SETTLEMENT.toUpperCase().replace('0X', '0x'), permit2: PERMIT2 },
})

test.each([
  ['of a native input', native({})],
  [
    'of a native input less a fee transfer',
    native({ value: '997500000000000000' }, { feeTransferRaw: 2_500_000_000_000_000n }),
  ],
  ['of an ERC-20 input', erc20({})],
  ['of an ERC-20 input by permit, naming the spender', erc20({}, 'permit2')],
  ['of an ERC-20 input by permit, naming Permit2', erc20({ allowanceTarget: PERMIT2 }, 'permit2')],
  ['of an ERC-20 input outside a sandbox', { ...erc20({ allowanceTarget: VENUE }), approval: null }],
])('an honest tx %s fails nothing', (_case, honest) => {
  const result = judgeTx(honest)
  expect(failedRequirements(result.verdicts)).toEqual([])
  expect(result.tx?.to).toBe(SETTLEMENT)
})

test.each([
  ['is for another chain', native({ chainId: 1 }), ['tx.chain-id']],
  ['writes the chain id as hex', native({ chainId: '0x1237' }), ['tx.chain-id']],
  [
    'writes the value as hex',
    native({ value: '0xde0b6b3a7640000' }),
    ['tx.value.decimal', 'amounts.base-unit-strings'],
  ],
  ['writes the value as a number', native({ value: 1e18 }), ['tx.value.decimal']],
  ['writes the value in ETH', native({ value: '1' }), ['tx.value.native']],
  [
    'sends the fee transfer a second time inside the value',
    native({}, { feeTransferRaw: 1n }),
    ['tx.value.native'],
  ],
  [
    'asks to approve the native coin',
    native({ allowanceTarget: SETTLEMENT }),
    ['tx.allowance-target.null-for-native'],
  ],
  ['sends ETH along with an ERC-20', erc20({ value: '1' }), ['tx.value.erc20-zero']],
  ['writes no value as hex', erc20({ value: '0x0' }), ['tx.value.decimal']],
  ['names another spender', erc20({ allowanceTarget: USER }), ['tx.allowance-target.spender']],
  [
    'names Permit2 where approve is meant',
    erc20({ allowanceTarget: PERMIT2 }),
    ['tx.allowance-target.spender'],
  ],
  [
    'names a spender that is no address',
    erc20({ allowanceTarget: 'permit2' }),
    ['tx.allowance-target.spender'],
  ],
  ['hides that a permit is needed', erc20({ permit2: false }, 'permit2'), ['tx.permit2.flag']],
  ['asks for a permit where approve is meant', erc20({ permit2: true }), ['tx.permit2.flag']],
  ['calls nothing', native({ data: '0x' }), ['tx.data']],
  ['sends half a byte', native({ data: '0x123' }), ['tx.data']],
  [
    'leaves the target out',
    native({ to: undefined }),
    ['tx.to', 'build.response.tx', 'build.returns-transaction'],
  ],
  ['sends no transaction', { ...native({}), tx: null }, ['build.response.tx', 'tx.to']],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeTx(broken).verdicts)).toEqual(expect.arrayContaining(failed))
})

test('which address stands for a permit is written down', () => {
  const seen = (target: string) =>
    judgeTx(erc20({ allowanceTarget: target }, 'permit2')).verdicts.find(
      (verdict) => verdict.requirement === 'tx.permit2.allowance-target',
    )?.actual
  expect(seen(SETTLEMENT)).toBe('the spender of the permit')
  expect(seen(PERMIT2)).toBe('Permit2')
})

test.each([
  ['an approval', false, { kind: 'erc20', spender: SETTLEMENT, permit2: PERMIT2 }],
  ['a permit', true, { kind: 'permit2', spender: SETTLEMENT, permit2: PERMIT2 }],
])('calldata that needs %s says so, whichever venue it is for', (_kind, usePermit2, needed) => {
  const data = settlementSwap({ usePermit2 })
  const contracts = { permit2: PERMIT2, venues: [{ id: 'venue_a', approval: { spender: SETTLEMENT } }] }
  expect(approvalOf({ to: SETTLEMENT, data }, contracts)).toEqual(needed)
  // Unknown: what another contract takes, and what calldata that cannot be read does.
  expect(approvalOf({ to: USER, data }, contracts)).toBeNull()
  expect(approvalOf({ to: SETTLEMENT, data: '0x12345678' }, contracts)).toBeNull()
})
