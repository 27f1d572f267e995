import { membersOf } from '../../spec/json.ts'
import { FEE_TRANSFER_VENUES, type VenueId } from '../../spec/venues.ts'
import { type FeeTransfer, feeTransferSchema, formOf } from '../../spec/wire.ts'
import { feeIsFair, feeOf } from '../amounts/fee.ts'
import { malformedDetails } from '../response/malformed.ts'
import { judgedBy, wellFormedFields } from '../response/wellFormed.ts'
import { judge, observe, observeChoice, sameAddress, type Verdict } from '../verdict.ts'

export interface FeeTransferFacts {
  /** `feeTransfer` as received. */
  readonly feeTransfer: unknown
  readonly engine: VenueId
  readonly feeBps: number
  /** The whole amount that the user sells. */
  readonly amountInRaw: bigint
  readonly inputIsNative: boolean
  /** The input's address; the zero address for the native coin. */
  readonly tokenIn: string
  /** Null: unknown, as outside a sandbox. */
  readonly feeWallet: string | null
  /** The fee that the calldata itself takes, in base units; null: the calldata cannot be read. */
  readonly feeInsideRaw: bigint | null
}

/**
 * Judges `feeTransfer` of a build (§2.4, §4.2 rules 5 and 6). It is present for venue_c and venue_d if there is a fee that the
 * transaction does not pay itself; it is in the input token, goes to the fee wallet, and has the fee's amount. A fee of zero
 * base units may be null or a transfer of zero. Checks that depend on a malformed field are skipped.
 *
 * Not judged: that transfer and swapped amount sum to the amount sold (calldata.ts), the payments of calldata that cannot be
 * decoded (judgeExecution.ts), that the fee wallet forwards the fee.
 */
export function judgeFeeTransfer(facts: FeeTransferFacts): readonly Verdict[] {
  const { feeTransfer, engine, feeBps, amountInRaw } = facts
  const parsed = feeTransferSchema.nullable().safeParse(feeTransfer)
  const classes = [
    engine,
    feeBps === 0 ? 'fee-zero' : feeOf(amountInRaw, feeBps) === 0n ? 'fee-below-unit' : 'fee',
  ]
  return [
    judgeFeeTransferShape(feeTransfer),
    ...(parsed.success ? judgePlace(parsed.data, facts, classes) : judgeMalformedFields(feeTransfer)),
    ...judgeTransfer(wellFormedFields(feeTransferSchema, feeTransfer), facts, classes),
  ]
}

export function judgeFeeTransferShape(feeTransfer: unknown): Verdict {
  return judge('build.response.fee-transfer', feeTransferSchema.nullable().safeParse(feeTransfer).success, {
    expected: 'null, or token, to and amountRaw',
    actual: feeTransfer,
  })
}

/** Judges where a transfer is allowed, and where it is required. */
function judgePlace(
  transfer: FeeTransfer | null,
  facts: FeeTransferFacts,
  boundaryClasses: readonly string[],
): readonly Verdict[] {
  const { engine, feeBps, amountInRaw } = facts
  if (feeBps === 0) {
    const isNothing = transfer === null || BigInt(transfer.amountRaw) === 0n
    const details = { expected: null, actual: transfer, boundaryClasses }
    return [judge('build.fee-transfer.only-with-fee', isNothing, details)]
  }
  if (FEE_TRANSFER_VENUES.has(engine)) {
    const nothingToSend = feeOf(amountInRaw, feeBps) === 0n
    const { feeInsideRaw } = facts
    const isUnknown = transfer === null && !nothingToSend && feeInsideRaw === null
    const isInside = feeInsideRaw !== null && feeIsFair(feeInsideRaw, amountInRaw, feeBps)
    return [
      isUnknown
        ? observe('build.fee-transfer.other-venues', transfer, `${engine} settles the fee itself`)
        : judge('build.fee-transfer.venues', transfer !== null || nothingToSend || isInside, {
            expected: 'a fee transfer, or the fee inside the transaction',
            actual: transfer,
            boundaryClasses,
          }),
    ]
  }
  return transfer === null
    ? []
    : [
        observeChoice(
          `build.fee-transfer.other-venues/${engine}`,
          'transfer',
          transfer,
          `attached by ${engine}`,
        ),
      ]
}

function judgeTransfer(
  transfer: Partial<FeeTransfer>,
  { amountInRaw, feeBps, inputIsNative, tokenIn, feeWallet }: FeeTransferFacts,
  boundaryClasses: readonly string[],
): readonly Verdict[] {
  return [
    ...judgedBy(transfer, ['amountRaw'], ({ amountRaw }) =>
      judge('amounts.base-unit-strings', true, { expected: 'a decimal string', actual: amountRaw }),
    ),
    ...judgedBy(transfer, ['token'], ({ token }) =>
      judge('fee-transfer.token', inputIsNative ? token === 'native' : sameAddress(token, tokenIn), {
        expected: inputIsNative ? 'native' : tokenIn,
        actual: token,
        boundaryClasses: [inputIsNative ? 'native' : 'erc20'],
      }),
    ),
    ...judgedBy(transfer, ['amountRaw'], ({ amountRaw }) =>
      judge('fee-transfer.amount-raw', feeIsFair(BigInt(amountRaw), amountInRaw, feeBps), {
        expected: feeOf(amountInRaw, feeBps),
        actual: amountRaw,
        note: `${feeBps} bps of ${amountInRaw}`,
        boundaryClasses,
      }),
    ),
    ...judgedBy(transfer, ['to'], ({ to }) =>
      feeWallet === null
        ? []
        : judge('fee-transfer.to', sameAddress(to, feeWallet), { expected: feeWallet, actual: to }),
    ),
  ]
}

function judgeMalformedFields(feeTransfer: unknown): readonly Verdict[] {
  if (typeof feeTransfer !== 'object' || feeTransfer === null) return []
  const body = membersOf(feeTransfer)
  const fields = [
    ['token', 'fee-transfer.token'],
    ['to', 'fee-transfer.to'],
    ['amountRaw', 'fee-transfer.amount-raw'],
    ['amountRaw', 'amounts.base-unit-strings'],
  ] as const
  return fields
    .filter(([field]) => !feeTransferSchema.shape[field].safeParse(body[field]).success)
    .map(([field, id]) => {
      const form = formOf(feeTransferSchema.shape[field])
      return judge(id, false, malformedDetails([{ path: `feeTransfer.${field}`, form, value: body[field] }]))
    })
}
