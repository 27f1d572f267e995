import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { changeOrder, changeSettlement } from './helpers/rules.ts'
import { isDirect, SOMEBODY } from './helpers/values.ts'
import { changeBody, type Json } from './helpers/wire.ts'

const FEE_WALLET = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
/** Returns the members of `tx` that `change` returns. */
const onTx = (change: (tx: Json, body: Json) => unknown) =>
  changeBody('build', (body) => {
    Object.assign(body.tx, change(body.tx, body))
  })

/** §2.3: mistakes in `tx`. */
export const txDefects: readonly Defect[] = [
  ...defectTable(onTx, {
    'tx.chain-of-mainnet-for-native': [
      'tx.chain-id',
      'swaps of native ETH have chainId 1',
      ({ value }) => value !== '0' && { chainId: 1 },
    ],
    'tx.chain-id-as-text': [
      'tx.chain-id',
      'chainId is a hex string',
      ({ chainId }) => ({ chainId: `0x${chainId.toString(16)}` }),
    ],
    'tx.chain-of-the-testnet': ['tx.chain-id', 'chainId is that of the testnet', () => ({ chainId: 46_630 })],
    'tx.to-without-0x': ['tx.to', '`to` lacks its 0x', ({ to }) => ({ to: to.slice(2) })],
    'tx.to-an-account': [
      'tx.to.contract',
      '`to` has no code on this chain',
      () => ({ to: `0x${'5e'.repeat(20)}` }),
    ],
    'tx.data-empty-for-permit': [
      'tx.data',
      'data is 0x where a permit is needed',
      ({ permit2 }) => permit2 && { data: '0x' },
    ],
    'tx.value-in-hex': [
      'tx.value.decimal',
      'value is a hex string',
      ({ value }) => ({ value: `0x${BigInt(value).toString(16)}` }),
    ],
    'tx.value-zero-for-native': ['tx.value.native', 'value is 0 for native ETH too', () => ({ value: '0' })],
    'tx.allowance-target-is-venue': [
      'tx.allowance-target.spender',
      'allowanceTarget is a contract that does not take the tokens',
      ({ allowanceTarget }, { engine }) =>
        allowanceTarget !== null && !isDirect(engine) && { allowanceTarget: `0x${'a1'.repeat(20)}` },
    ],
    'tx.allowance-target-for-native': [
      'tx.allowance-target.null-for-native',
      'allowanceTarget is set for native ETH too',
      ({ allowanceTarget, to }) => ({ allowanceTarget: allowanceTarget ?? to }),
    ],
    'tx.permit2-never': ['tx.permit2.flag', 'permit2 is always false', () => ({ permit2: false })],
    'tx.permit2-where-approved': [
      'tx.permit2.flag',
      'permit2 is true where the swap takes an approval',
      ({ allowanceTarget, permit2 }) => allowanceTarget !== null && !permit2 && { permit2: true },
    ],
    'tx.pays-the-fee-wallet': [
      'build.sender.submits',
      'venues that are called directly pay the fee wallet',
      ({ data }, { engine }) =>
        isDirect(engine) && { data: `${data.slice(0, data.length - 40)}${FEE_WALLET.slice(2)}` },
    ],
    'tx.approval-not-named': [
      'build.approval.first',
      'allowanceTarget is null for venues that are called directly',
      (_tx, { engine }) => isDirect(engine) && { allowanceTarget: null },
    ],
    'tx.approval-for-the-fee-wallet': [
      'build.approval.first',
      'venue_a and venue_f request an approval for the wrong spender',
      (_tx, { engine }) => /^venue_[af]$/.test(engine) && { allowanceTarget: SOMEBODY },
    ],
    'tx.permit-for-the-wrong-spender': [
      'build.approval.permit2',
      'the permit names the fee wallet as spender',
      ({ permit2 }) => permit2 && { allowanceTarget: FEE_WALLET },
    ],
  }),
  ...defectTable(changeOrder, {
    'tx.minimum-divides-by-one-plus-slippage': [
      'tx.data.minimum',
      'the minimum in the calldata is out / (1 + slippage)',
      (order, { priced, amountOutRaw }) => ({
        ...order,
        minimumRaw: (amountOutRaw * 10_000n) / (10_000n + BigInt(priced.request.slippageBps)),
      }),
    ],
    'tx.minimum-two-units-above': [
      'build.minimum.encoded',
      'the minimum in the calldata is two base units too high',
      (order) => ({ ...order, minimumRaw: order.minimumRaw + 2n }),
    ],
    'tx.minimum-of-double-slippage': [
      'build.minimum.reverts',
      'the minimum in the calldata is 0.5 % too low',
      (order) => ({ ...order, minimumRaw: order.minimumRaw - order.minimumRaw / 200n }),
    ],
    'tx.minimum-zero-for-makers': [
      'build.minimum.guarantee',
      'the minimum in the calldata of venue_c and venue_f is 0',
      (order, { engine }) => (/^venue_[cf]$/.test(engine) ? { ...order, minimumRaw: 0n } : order),
    ],
  }),
  ...VENUE_IDS.map((venue) =>
    defect(
      `tx.no-minimum.${venue}`,
      'build.minimum.reverts',
      `the calldata of ${venue} has no minimum`,
      changeOrder((order, { engine }) => (engine === venue ? { ...order, minimumRaw: 0n } : order)),
    ),
  ),
  defect(
    'tx.value-for-erc20',
    'tx.value.erc20-zero',
    'value is the amount for ERC-20 input too',
    changeSettlement((settlement, order) => ({
      ...settlement,
      valueRaw: settlement.valueRaw || order.amountInRaw,
    })),
  ),
]
