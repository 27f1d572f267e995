import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { Order, Settlement } from '../../src/service/testing.ts'
import { changeOrder, changeSettlement, type Deal } from './helpers/rules.ts'
import { feeTwice, skimming } from './helpers/skimming.ts'
import { isDirect, SOMEBODY } from './helpers/values.ts'
import { changeBody, type Json } from './helpers/wire.ts'

const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const FEE_WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const NATIVE = '0x0000000000000000000000000000000000000000'
const onBuild = (change: (body: Json) => void) => changeBody('build', change)
const isWhole = ({ amountInRaw }: Order, { priced }: Deal) =>
  (amountInRaw * BigInt(priced.request.partnerFeeBps)) % 10_000n === 0n

/** Adds the fee, which is transferred separately, to the value of a native swap as well. */
function addFeeToValue({ tx, feeTransfer }: Json): void {
  if (feeTransfer?.token === 'native') tx.value = String(BigInt(tx.value) + BigInt(feeTransfer.amountRaw))
}

/** Swaps the whole amount, as if the fee came on top. */
function wholeAmount(settlement: Settlement, order: Order, { engine }: Deal): Settlement {
  if (!isDirect(engine) || order.feeRaw === 0n || order.tokenIn === NATIVE) return settlement
  // The selector and two addresses come before the amount.
  const start = 2 + 8 + 64 + 64
  const whole = order.amountInRaw.toString(16).padStart(64, '0')
  const data = `${settlement.data.slice(0, start)}${whole}${settlement.data.slice(start + 64)}`
  return { ...settlement, data: data as `0x${string}` }
}

/** §2.4, §4.2 rules 5 and 6: mistakes in the fee of a build. */
export const feeTransferDefects: readonly Defect[] = [
  ...defectTable(onBuild, {
    'fee-transfer.native-as-zero-address': [
      'fee-transfer.token',
      'native ETH is given as the zero address',
      ({ feeTransfer }) => {
        if (feeTransfer?.token === 'native') feeTransfer.token = NATIVE
      },
    ],
    'fee-transfer.to-the-partner': [
      'fee-transfer.to',
      'the fee transfer goes to the partner instead of the fee wallet',
      ({ feeTransfer, partnerFeeRecipient }) => {
        if (feeTransfer) feeTransfer.to = partnerFeeRecipient
      },
    ],
    'fee-transfer.value-of-the-whole': [
      'build.fee-transfer.skippable',
      'value includes the fee that is also transferred',
      addFeeToValue,
    ],
    'fee-transfer.one-unit-without-fee': [
      'build.fee-transfer.only-with-fee',
      'without a fee, a transfer of one base unit is requested',
      (body) => {
        if (!isDirect(body.engine) || body.totalFeeBps !== 0) return
        const token = body.tx.value === '0' ? USDG : 'native'
        body.feeTransfer = { token, to: FEE_WALLET, amountRaw: '1' }
      },
    ],
  }),
  ...defectTable(changeOrder, {
    'fee-transfer.fee-on-the-rest': [
      'fee-transfer.amount-raw',
      'the fee is computed from the swapped amount instead of the whole amount',
      (order, { engine }) =>
        isDirect(engine)
          ? { ...order, feeRaw: (order.feeRaw * (order.amountInRaw - order.feeRaw)) / order.amountInRaw }
          : order,
    ],
    'fee-transfer.rounded-to-cents': [
      'fee-transfer.amount-raw',
      'the fee is rounded up to 0.01 of a token',
      (order, { engine, priced }) => {
        const cent = 10n ** BigInt(Math.max(priced.tokenIn.decimals - 2, 0))
        const isRounded = isDirect(engine) && order.feeRaw > 0n
        return isRounded ? { ...order, feeRaw: ((order.feeRaw + cent - 1n) / cent) * cent } : order
      },
    ],
    'narrow.build.transfer-rounded-up-twice.venue_c': [
      'fee-transfer.amount-raw',
      'venue_c adds two base units to a fee that is not whole',
      (order, deal) =>
        deal.engine !== 'venue_c' || isWhole(order, deal) ? order : { ...order, feeRaw: order.feeRaw + 2n },
    ],
    'fee.rounded-up-by-two': [
      'build.fee-inside-tx',
      'two base units are added to a fee inside the swap that is not whole',
      (order, deal) =>
        isDirect(deal.engine) || isWhole(order, deal) ? order : { ...order, feeRaw: order.feeRaw + 2n },
    ],
    'fee.halved-inside': [
      'build.fee-inside-tx',
      'the swap takes half of the fee',
      (order, { engine }) => (isDirect(engine) ? order : { ...order, feeRaw: order.feeRaw / 2n }),
    ],
  }),
  ...defectTable(changeSettlement, {
    'fee-transfer.not-carved-out': [
      'build.fee-transfer.sum',
      'venues that are called directly swap the whole amount, and the fee comes on top',
      wholeAmount,
    ],
    'fee-transfer.and-inside-too': [
      'build.fee-transfer.skipped-uncollected',
      'the fee is taken inside the transaction and requested as a fee transfer as well',
      feeTwice(({ tokenIn }) => tokenIn === NATIVE),
    ],
    'fee-transfer.skimmed-for-somebody': [
      'build.fee-inside-tx',
      'venues that are called directly skim the fee in one call, and pay it to somebody else',
      (settlement, order, { deps, engine }) =>
        isDirect(engine) && settlement.feeTransfer !== null
          ? skimming(settlement, { ...order, feeRecipient: SOMEBODY }, deps.manifest)
          : settlement,
    ],
    'fee-transfer.missing-for-stable-swap': [
      'build.fee-transfer.venues',
      'venue_d has no fee transfer',
      (settlement, _order, { engine }) =>
        engine === 'venue_d' ? { ...settlement, feeTransfer: null } : settlement,
    ],
  }),
]
