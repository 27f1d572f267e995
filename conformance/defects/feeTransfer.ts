import { encodeFunctionData, parseAbi } from 'viem'
import { type Defect, defect } from './defect.ts'
import { ordering, settling } from './making/rules.ts'
import { type Json, showing } from './making/wire.ts'

const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const FEE_WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const NATIVE = '0x0000000000000000000000000000000000000000'
const isDirect = (engine: string) => engine === 'venue_c' || engine === 'venue_d'
const transfer = (change: (feeTransfer: Json, body: Json) => void) =>
  showing('build', (body) => {
    if (body.feeTransfer) change(body.feeTransfer, body)
  })
const multicall3 = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/** §2.4, §4.2 rules 5 and 6: mistakes in the fee of a build. */
export const feeTransferDefects: readonly Defect[] = [
  defect(
    'fee-transfer.native-as-zero-address',
    'fee-transfer.token',
    'the native coin is named by the zero address',
    transfer((made) => {
      if (made.token === 'native') made.token = NATIVE
    }),
  ),
  defect(
    'fee-transfer.to-the-partner',
    'fee-transfer.to',
    'the fee transfer goes to the partner itself',
    transfer((made, { partnerFeeRecipient }) => {
      made.to = partnerFeeRecipient
    }),
  ),
  defect(
    'fee-transfer.fee-on-the-rest',
    'fee-transfer.amount-raw',
    'the fee is reckoned on what is swapped instead of on the amount',
    ordering((order, { engine }) =>
      isDirect(engine)
        ? { ...order, feeRaw: (order.feeRaw * (order.amountInRaw - order.feeRaw)) / order.amountInRaw }
        : order,
    ),
  ),
  defect(
    'fee-transfer.rounded-to-cents',
    'fee-transfer.amount-raw',
    'the fee is rounded up to a hundredth of a token',
    ordering((order, { engine, priced }) => {
      const cent = 10n ** BigInt(Math.max(priced.tokenIn.decimals - 2, 0))
      const isRounded = isDirect(engine) && order.feeRaw > 0n
      return isRounded ? { ...order, feeRaw: ((order.feeRaw + cent - 1n) / cent) * cent } : order
    }),
  ),
  defect(
    'fee.rounded-up-by-two',
    'build.fee-inside-tx',
    'a fee that does not come out whole is rounded up, and then up again',
    ordering((order, { engine, priced }) => {
      const isWhole = (order.amountInRaw * BigInt(priced.request.partnerFeeBps)) % 10_000n === 0n
      return isDirect(engine) || isWhole ? order : { ...order, feeRaw: order.feeRaw + 2n }
    }),
  ),
  defect(
    'fee-transfer.not-carved-out',
    'build.fee-transfer.sum',
    'venues that are called directly swap the whole amount, and the fee comes on top',
    settling((settlement, order, { engine }) => {
      if (!isDirect(engine) || order.feeRaw === 0n || order.tokenIn === NATIVE) return settlement
      // Selector and two addresses come before the amount.
      const start = 2 + 8 + 64 + 64
      const whole = order.amountInRaw.toString(16).padStart(64, '0')
      const data = `${settlement.data.slice(0, start)}${whole}${settlement.data.slice(start + 64)}`
      return { ...settlement, data: data as `0x${string}` }
    }),
  ),
  defect(
    'fee-transfer.value-of-the-whole',
    'build.fee-transfer.skippable',
    'value holds the fee too, so that the venue refuses the call',
    showing('build', (body) => {
      if (body.feeTransfer?.token === 'native')
        body.tx.value = String(BigInt(body.tx.value) + BigInt(body.feeTransfer.amountRaw))
    }),
  ),
  defect(
    'fee-transfer.and-inside-too',
    'build.fee-transfer.skipped-uncollected',
    'the fee is taken inside the transaction, and a fee transfer is handed out as well',
    settling((settlement, order, { deps: { manifest }, engine }) => {
      const { feeTransfer, to, data, valueRaw } = settlement
      if (!isDirect(engine) || feeTransfer?.token !== 'native') return settlement
      const fee = {
        target: manifest.feeWallet,
        allowFailure: false,
        value: order.feeRaw,
        callData: '0x',
      } as const
      const swap = { target: to, allowFailure: false, value: valueRaw, callData: data }
      return {
        ...settlement,
        to: manifest.multicall3 as `0x${string}`,
        data: encodeFunctionData({
          abi: multicall3,
          functionName: 'aggregate3Value',
          args: [[fee as never, swap]],
        }),
        valueRaw: valueRaw + order.feeRaw,
      }
    }),
  ),
  defect(
    'fee-transfer.missing-for-stable-swap',
    'build.fee-transfer.venues',
    'venue_d has no fee transfer, as its pool has an admin fee',
    settling((settlement, _order, { engine }) =>
      engine === 'venue_d' ? { ...settlement, feeTransfer: null } : settlement,
    ),
  ),
  defect(
    'fee-transfer.one-unit-without-fee',
    'build.fee-transfer.only-with-fee',
    'without a fee one base unit is to be transferred, as a mark of the route',
    showing('build', (body) => {
      if (isDirect(body.engine) && body.totalFeeBps === 0)
        body.feeTransfer = { token: body.tx.value === '0' ? USDG : 'native', to: FEE_WALLET, amountRaw: '1' }
    }),
  ),
  defect(
    'fee.halved-inside',
    'build.fee-inside-tx',
    'the settlement is told of the half that the partner keeps',
    ordering((order, { engine }) => (isDirect(engine) ? order : { ...order, feeRaw: order.feeRaw / 2n })),
  ),
]
