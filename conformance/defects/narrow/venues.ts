import { ACCOUNTS } from '../../../src/fixtures/accounts.ts'
import { VENUE_IDS, type VenueId } from '../../../src/spec/venues.ts'
import { type Defect, narrow } from '../defect.ts'
import { ordering } from '../making/rules.ts'
import { at, type Fields, type Json, refusing, showing } from '../making/wire.ts'

const NOBODY = `0x${'fe'.repeat(20)}`
const FEE_WALLET = ACCOUNTS.feeWallet.address
const isDirect = (engine: string) => engine === 'venue_c' || engine === 'venue_d'
/** Builds that force a venue, and are such besides. */
const forcing = (venue: VenueId, when: (fields: Fields) => boolean = () => true) =>
  at('build', (fields) => fields.preferEngine === venue && when(fields))
const isFree = ({ partnerFeeBps }: Fields) => Number(partnerFeeBps ?? 0) === 0
const hasTopFee = ({ partnerFeeBps }: Fields) => Number(partnerFeeBps) === 50
const isTransfer = ({ from, to }: Fields) => from !== 'ETH' && to !== 'ETH'

/** Directions and slippages of a minimum, as the venues differ in who enforces it and in what is unwrapped after it. */
const PLACES = [
  ['erc20.slippage-0', 0, isTransfer],
  ['erc20.slippage-50', 50, isTransfer],
  ['native-in.slippage-0', 0, ({ from }: Fields) => from === 'ETH'],
  ['native-out.slippage-0', 0, ({ to }: Fields) => to === 'ETH'],
] as const
const minima: readonly Defect[] = VENUE_IDS.flatMap((venue) =>
  PLACES.map(([place, slippageBps, isThere]) =>
    narrow(
      `build.no-minimum.${venue}.${place}`,
      'build.minimum.reverts',
      `${venue} has no minimum in its calldata: ${place}`,
      forcing(venue, (fields) => fields.slippageBps === slippageBps && isThere(fields)),
      ordering((order) => ({ ...order, minimumRaw: 0n })),
    ),
  ),
)
const roundedUp = narrow(
  'build.minimum-a-unit-above.native-in',
  'build.minimum.encoded',
  'where the coin is sold at the default slippage the minimum is rounded up',
  forcing('venue_a', ({ slippageBps, from }) => slippageBps === 50 && from === 'ETH'),
  ordering((order) => ({ ...order, minimumRaw: order.minimumRaw + 1n })),
)

const approvals: readonly Defect[] = VENUE_IDS.map((venue) =>
  narrow(
    `build.approves-nobody.${venue}`,
    venue === 'venue_b' || venue === 'venue_e' ? 'build.approval.permit2' : 'build.approval.first',
    `${venue} asks for an approval of somebody else`,
    forcing(venue),
    showing('build', ({ tx }) => {
      if (tx.allowanceTarget !== null) tx.allowanceTarget = NOBODY
    }),
  ),
)

const unasked: readonly Defect[] = VENUE_IDS.map((venue) =>
  narrow(
    `build.transfer-without-fee.${venue}`,
    'build.fee-transfer.only-with-fee',
    `${venue} asks for a transfer of one unit where there is no fee`,
    forcing(venue, isFree),
    showing('build', (body) => {
      body.feeTransfer = { token: NOBODY, to: FEE_WALLET, amountRaw: '1' }
    }),
  ),
)

/** What moves without a fee, venue by venue. */
const withoutFee: readonly Defect[] = VENUE_IDS.map((venue) =>
  isDirect(venue)
    ? narrow(
        `build.pays-the-fee-wallet.${venue}.without-fee`,
        'build.sender.submits',
        `${venue} pays the fee wallet what was bought without a fee`,
        forcing(venue, isFree),
        showing('build', paysTheFeeWallet),
      )
    : narrow(
        `build.service-takes-a-bp.${venue}`,
        'fees.service-charges-nothing',
        `${venue} pays 1 bps to the fee wallet where nobody asked for a fee`,
        forcing(venue, isFree),
        ordering((order, { deps }) => ({
          ...order,
          feeRaw: order.amountInRaw / 10_000n,
          feeRecipient: deps.manifest.feeWallet as `0x${string}`,
        })),
      ),
)

/** What moves with the highest fee, venue by venue. */
const withFee: readonly Defect[] = VENUE_IDS.map((venue) =>
  isDirect(venue)
    ? narrow(
        `build.pays-the-fee-wallet.${venue}.with-fee`,
        'build.sender.submits',
        `${venue} pays the fee wallet what was bought with a fee`,
        forcing(venue, hasTopFee),
        showing('build', paysTheFeeWallet),
      )
    : narrow(
        `build.dust-kept-back.${venue}`,
        'fees.only-partner',
        `${venue} leaves a bit of the input with the user where there is a fee`,
        forcing(venue, hasTopFee),
        ordering((order) => ({
          ...order,
          amountInRaw: order.amountInRaw - (order.amountInRaw % 100n) - 100n,
        })),
      ),
)
function paysTheFeeWallet({ tx }: Json): void {
  tx.data = `${tx.data.slice(0, tx.data.length - 40)}${FEE_WALLET.slice(2).toLowerCase()}`
}

/** A fee that comes out whole, and is neither the lowest nor the highest. */
const oddFee: readonly Defect[] = (['venue_a', 'venue_b', 'venue_e', 'venue_f'] as const).map((venue) =>
  narrow(
    `build.odd-fee-halved.${venue}`,
    'build.fee-inside-tx',
    `${venue} takes half of a fee that is neither the lowest nor the highest`,
    forcing(venue, (fields) => !isFree(fields) && !hasTopFee(fields)),
    ordering((order, { priced }) => {
      const isWhole = (order.amountInRaw * BigInt(priced.request.partnerFeeBps)) % 10_000n === 0n
      return isWhole ? { ...order, feeRaw: order.feeRaw / 2n } : order
    }),
  ),
)

const transfers: readonly Defect[] = [
  narrow(
    'build.transfer-to-the-partner.venue_c',
    'fee-transfer.to',
    'the order book has its fee sent to the partner itself',
    forcing('venue_c'),
    showing('build', (body) => {
      if (body.feeTransfer) body.feeTransfer.to = body.partnerFeeRecipient
    }),
  ),
  narrow(
    'build.transfer-rounded-up-twice.venue_c',
    'fee-transfer.amount-raw',
    'the order book rounds a fee up that does not come out whole, and then up again',
    forcing('venue_c'),
    ordering((order, { priced }) => {
      const isWhole = (order.amountInRaw * BigInt(priced.request.partnerFeeBps)) % 10_000n === 0n
      return isWhole ? order : { ...order, feeRaw: order.feeRaw + 2n }
    }),
  ),
  ...(['venue_c', 'venue_d'] as const).map((venue) =>
    narrow(
      `build.value-of-the-whole.${venue}`,
      'build.fee-transfer.skippable',
      `the value of ${venue} holds the fee too, so that it refuses the call`,
      forcing(venue),
      showing('build', ({ tx, feeTransfer }) => {
        if (feeTransfer?.token === 'native')
          tx.value = String(BigInt(tx.value) + BigInt(feeTransfer.amountRaw))
      }),
    ),
  ),
]

/** Who builds: what nobody else meets. */
const senders: readonly Defect[] = [
  narrow(
    'build.refuses.sender.third',
    'build.response.route',
    'build turns away a sender whom it has not met, unless a venue is forced',
    at(
      'build',
      ({ sender, preferEngine }) => sender === ACCOUNTS.carol.address && preferEngine === undefined,
    ),
    refusing('build', () => true),
  ),
  narrow(
    'build.refuses.sender.poor',
    'build.response.route',
    'build turns away a sender who has nothing, by 400',
    at('build', ({ sender }) => sender === ACCOUNTS.unfunded.address),
    refusing('build', () => true),
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
