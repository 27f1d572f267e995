import { type Defect, defect } from './defect.ts'
import { ordering, settling } from './making/rules.ts'
import { type Json, showing } from './making/wire.ts'

const tx = (change: (tx: Json, body: Json) => void) =>
  showing('build', (body) => {
    change(body.tx, body)
  })
const isDirect = (engine: string) => engine === 'venue_c' || engine === 'venue_d'

/** §2.3: mistakes in `tx`. */
export const txDefects: readonly Defect[] = [
  defect(
    'tx.chain-of-mainnet-for-native',
    'service.one-chain',
    'swaps of the native coin are for chain 1',
    tx((made) => {
      if (made.value !== '0') made.chainId = 1
    }),
  ),
  defect(
    'tx.chain-id-as-text',
    'tx.chain-id',
    'chainId is hex text',
    tx((made) => {
      made.chainId = `0x${made.chainId.toString(16)}`
    }),
  ),
  defect(
    'tx.chain-of-the-testnet',
    'limits.chain',
    'chainId is that of the testnet',
    tx((made) => {
      made.chainId = 46_630
    }),
  ),
  defect(
    'tx.to-without-0x',
    'tx.to',
    'to has lost its 0x',
    tx((made) => {
      made.to = made.to.slice(2)
    }),
  ),
  defect(
    'tx.to-an-account',
    'tx.to.contract',
    'to is the address of the contract on another chain, where there is no code',
    tx((made) => {
      made.to = `0x${'5e'.repeat(20)}`
    }),
  ),
  defect(
    'tx.data-empty-for-permit',
    'tx.data',
    'data waits for the permit and is 0x',
    tx((made) => {
      if (made.permit2) made.data = '0x'
    }),
  ),
  defect(
    'tx.minimum-divides-by-one-plus-slippage',
    'tx.data.minimum',
    'the minimum in the calldata is out / (1 + slippage)',
    ordering((order, { priced, amountOutRaw }) => ({
      ...order,
      minimumRaw: (amountOutRaw * 10_000n) / (10_000n + BigInt(priced.request.slippageBps)),
    })),
  ),
  defect(
    'tx.minimum-a-unit-above',
    'build.minimum.encoded',
    'the minimum in the calldata is rounded up',
    ordering((order) => ({ ...order, minimumRaw: order.minimumRaw + 1n })),
  ),
  defect(
    'tx.minimum-of-double-slippage',
    'build.minimum.reverts',
    'the calldata allows twice the slippage',
    ordering((order) => ({ ...order, minimumRaw: order.minimumRaw - order.minimumRaw / 200n })),
  ),
  defect(
    'tx.minimum-zero-for-makers',
    'build.minimum.guarantee',
    'venues without a pool have a minimum of zero in their calldata',
    ordering((order, { engine }) =>
      engine === 'venue_c' || engine === 'venue_f' ? { ...order, minimumRaw: 0n } : order,
    ),
  ),
  defect(
    'tx.value-in-hex',
    'tx.value.decimal',
    'value is hex, as the wallet wants it',
    tx((made) => {
      made.value = `0x${BigInt(made.value).toString(16)}`
    }),
  ),
  defect(
    'tx.value-zero-for-native',
    'tx.value.native',
    'value is 0 for the native coin too',
    tx((made) => {
      made.value = '0'
    }),
  ),
  defect(
    'tx.value-for-erc20',
    'tx.value.erc20-zero',
    'value is the amount, whatever is sold',
    settling((settlement, order) => ({ ...settlement, valueRaw: settlement.valueRaw || order.amountInRaw })),
  ),
  defect(
    'tx.allowance-target-is-venue',
    'tx.allowance-target.spender',
    'allowanceTarget is the contract that is called, also where another takes the tokens',
    tx((made, { engine }) => {
      if (made.allowanceTarget !== null && !isDirect(engine)) made.allowanceTarget = `0x${'a1'.repeat(20)}`
    }),
  ),
  defect(
    'tx.allowance-target-for-native',
    'tx.allowance-target.null-for-native',
    'allowanceTarget is there for the native coin too',
    tx((made) => {
      made.allowanceTarget ??= made.to
    }),
  ),
  defect(
    'tx.permit2-never',
    'tx.permit2.flag',
    'permit2 is always false',
    tx((made) => {
      made.permit2 = false
    }),
  ),
  defect(
    'tx.pays-the-fee-wallet',
    'build.sender.submits',
    'venues that pay a recipient pay the fee wallet',
    showing('build', (body) => {
      if (isDirect(body.engine)) {
        const start = body.tx.data.length - 40
        body.tx.data = `${body.tx.data.slice(0, start)}3c44cdddb6a900fa2b585dd299e03d12fa4293bc`
      }
    }),
  ),
  defect(
    'tx.approval-not-named',
    'build.approval.first',
    'allowanceTarget is null for venues that are called directly',
    tx((made, { engine }) => {
      if (isDirect(engine)) made.allowanceTarget = null
    }),
  ),
  defect(
    'tx.permit-for-the-wrong-spender',
    'build.approval.permit2',
    'the permit is to be signed for the fee wallet',
    tx((made) => {
      if (made.permit2) made.allowanceTarget = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
    }),
  ),
]
