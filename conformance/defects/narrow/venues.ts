import { ACCOUNTS } from '../../../src/fixtures/accounts.ts'
import { VENUE_IDS, type VenueId } from '../../../src/spec/venues.ts'
import { type Defect, defect } from '../defect.ts'
import { ordering } from '../making/rules.ts'
import { type Fields, type Json, refusing, showing } from '../making/wire.ts'

const NATIVE = '0x0000000000000000000000000000000000000000'
const NOBODY = `0x${'fe'.repeat(20)}`
const FEE_WALLET = ACCOUNTS.feeWallet.address
const isDirect = (engine: string) => engine === 'venue_c' || engine === 'venue_d'
const built = (engine: VenueId, change: (body: Json, fields: Fields) => void) =>
  showing('build', (body, fields) => {
    if (body.engine === engine) change(body, fields)
  })

/** Directions and slippages of a minimum, as the venues differ in who enforces it and in what is unwrapped after it. */
const PLACES = [
  ['erc20.slippage-0', 0, (tokenIn: string, tokenOut: string) => tokenIn !== NATIVE && tokenOut !== NATIVE],
  ['erc20.slippage-50', 50, (tokenIn: string, tokenOut: string) => tokenIn !== NATIVE && tokenOut !== NATIVE],
  ['native-in.slippage-0', 0, (tokenIn: string) => tokenIn === NATIVE],
  ['native-out.slippage-0', 0, (_tokenIn: string, tokenOut: string) => tokenOut === NATIVE],
] as const
const minima: readonly Defect[] = VENUE_IDS.flatMap((venue) =>
  PLACES.map(([place, slippageBps, isThere]) =>
    defect(
      `narrow.build.no-minimum.${venue}.${place}`,
      'build.minimum.reverts',
      `${venue} has no minimum in its calldata: ${place}`,
      ordering((order, { engine, priced }) =>
        engine === venue &&
        priced.request.slippageBps === slippageBps &&
        isThere(order.tokenIn, order.tokenOut)
          ? { ...order, minimumRaw: 0n }
          : order,
      ),
    ),
  ),
)
const roundedUp = defect(
  'narrow.build.minimum-a-unit-above.native-in',
  'build.minimum.encoded',
  'where the coin is sold at the default slippage the minimum is rounded up',
  ordering((order, { engine, priced }) =>
    engine === 'venue_a' && priced.request.slippageBps === 50 && order.tokenIn === NATIVE
      ? { ...order, minimumRaw: order.minimumRaw + 1n }
      : order,
  ),
)

const approvals: readonly Defect[] = VENUE_IDS.map((venue) =>
  defect(
    `narrow.build.approves-nobody.${venue}`,
    venue === 'venue_b' || venue === 'venue_e' ? 'build.approval.permit2' : 'build.approval.first',
    `${venue} asks for an approval of somebody else`,
    built(venue, ({ tx }) => {
      if (tx.allowanceTarget !== null) tx.allowanceTarget = NOBODY
    }),
  ),
)

const unasked: readonly Defect[] = VENUE_IDS.map((venue) =>
  defect(
    `narrow.build.transfer-without-fee.${venue}`,
    'build.fee-transfer.only-with-fee',
    `${venue} asks for a transfer of one unit where there is no fee`,
    built(venue, (body) => {
      if (body.totalFeeBps === 0) body.feeTransfer = { token: NOBODY, to: FEE_WALLET, amountRaw: '1' }
    }),
  ),
)

/** What moves without a fee, venue by venue. */
const withoutFee: readonly Defect[] = VENUE_IDS.map((venue) =>
  isDirect(venue)
    ? defect(
        `narrow.build.pays-the-fee-wallet.${venue}.without-fee`,
        'build.sender.submits',
        `${venue} pays the fee wallet what was bought without a fee`,
        built(venue, (body) => {
          if (body.totalFeeBps === 0) paysTheFeeWallet(body)
        }),
      )
    : defect(
        `narrow.build.service-takes-a-bp.${venue}`,
        'fees.service-charges-nothing',
        `${venue} pays 1 bps to the fee wallet where nobody asked for a fee`,
        ordering((order, { deps, engine }) =>
          engine === venue && order.feeRaw === 0n
            ? {
                ...order,
                feeRaw: order.amountInRaw / 10_000n,
                feeRecipient: deps.manifest.feeWallet as `0x${string}`,
              }
            : order,
        ),
      ),
)

/** What moves with the highest fee, venue by venue. */
const withFee: readonly Defect[] = VENUE_IDS.map((venue) =>
  isDirect(venue)
    ? defect(
        `narrow.build.pays-the-fee-wallet.${venue}.with-fee`,
        'build.sender.submits',
        `${venue} pays the fee wallet what was bought with a fee`,
        built(venue, (body) => {
          if (body.totalFeeBps > 0) paysTheFeeWallet(body)
        }),
      )
    : defect(
        `narrow.build.dust-kept-back.${venue}`,
        'fees.only-partner',
        `${venue} leaves a bit of the input with the user where there is a fee`,
        ordering((order, { engine }) =>
          engine === venue && order.feeRaw > 0n
            ? { ...order, amountInRaw: order.amountInRaw - (order.amountInRaw % 100n) - 100n }
            : order,
        ),
      ),
)
function paysTheFeeWallet({ tx }: Json): void {
  tx.data = `${tx.data.slice(0, tx.data.length - 40)}${FEE_WALLET.slice(2).toLowerCase()}`
}

/** A fee that comes out whole, and is neither the lowest nor the highest. */
const oddFee: readonly Defect[] = (['venue_a', 'venue_b', 'venue_e', 'venue_f'] as const).map((venue) =>
  defect(
    `narrow.build.odd-fee-halved.${venue}`,
    'build.fee-inside-tx',
    `${venue} takes half of a fee that is neither the lowest nor the highest`,
    ordering((order, { engine, priced }) => {
      const { partnerFeeBps } = priced.request
      const isWhole = (order.amountInRaw * BigInt(partnerFeeBps)) % 10_000n === 0n
      const isOdd = partnerFeeBps > 1 && partnerFeeBps < 50 && isWhole
      return engine === venue && isOdd ? { ...order, feeRaw: order.feeRaw / 2n } : order
    }),
  ),
)

const transfers: readonly Defect[] = [
  defect(
    'narrow.build.transfer-to-the-partner.venue_c',
    'fee-transfer.to',
    'the order book has its fee sent to the partner itself',
    built('venue_c', (body) => {
      if (body.feeTransfer) body.feeTransfer.to = body.partnerFeeRecipient
    }),
  ),
  defect(
    'narrow.build.transfer-rounded-up-twice.venue_c',
    'fee-transfer.amount-raw',
    'the order book rounds a fee up that does not come out whole, and then up again',
    ordering((order, { engine, priced }) => {
      const isWhole = (order.amountInRaw * BigInt(priced.request.partnerFeeBps)) % 10_000n === 0n
      return engine === 'venue_c' && !isWhole ? { ...order, feeRaw: order.feeRaw + 2n } : order
    }),
  ),
  ...(['venue_c', 'venue_d'] as const).map((venue) =>
    defect(
      `narrow.build.value-of-the-whole.${venue}`,
      'build.fee-transfer.skippable',
      `the value of ${venue} holds the fee too, so that it refuses the call`,
      built(venue, ({ tx, feeTransfer }) => {
        if (feeTransfer?.token === 'native')
          tx.value = String(BigInt(tx.value) + BigInt(feeTransfer.amountRaw))
      }),
    ),
  ),
]

/** Who builds: what nobody else meets. */
const senders: readonly Defect[] = [
  defect(
    'narrow.build.refuses.sender.third',
    'build.response.route',
    'build turns away a sender whom it has not met, unless a venue is forced',
    refusing(
      'build',
      ({ sender, preferEngine }) => sender === ACCOUNTS.carol.address && preferEngine === undefined,
    ),
  ),
  defect(
    'narrow.build.refuses.sender.poor',
    'build.response.route',
    'build turns away a sender who has nothing, by 400',
    refusing('build', ({ sender }) => sender === ACCOUNTS.unfunded.address),
  ),
]

/** Builds that are wrong on one venue, in one direction, or with one kind of fee. */
export const narrowBuilds: readonly Defect[] = [
  ...minima,
  roundedUp,
  ...approvals,
  ...unasked,
  ...withoutFee,
  ...withFee,
  ...oddFee,
  ...transfers,
  ...senders,
]
