import { FEE_TRANSFER_VENUES, type VenueId } from '../spec/venues.ts'
import { feeTransferSchema } from '../spec/wire.ts'
import { feeIsFair, feeOf } from './fee.ts'
import { judge, observe, sameAddress, type Verdict } from './verdict.ts'

export interface FeeTransferFacts {
  /** `feeTransfer` as it came. */
  readonly feeTransfer: unknown
  readonly engine: VenueId
  readonly feeBps: number
  /** The whole amount that the user sells. */
  readonly amountInRaw: bigint
  readonly inputIsNative: boolean
  /** The input's address; the zero address for the native coin. */
  readonly tokenIn: string
  /** Known in a sandbox only. */
  readonly feeWallet: string | null
  /** The fee that the calldata itself takes, in base units; null: the calldata cannot be read. */
  readonly feeInsideRaw: bigint | null
}

/**
 * Judges `feeTransfer` of a build (§2.4, §4.2 rules 5 and 6): there for venue_c and venue_d with a fee that the
 * transaction does not pay itself, of the input, to the fee wallet, and of the fee's amount. A fee that comes out as zero
 * base units may be null or a transfer of nothing.
 *
 * Not judged: that transfer and swapped amount sum to what the user sells (calldata.ts), what calldata that cannot be read
 * pays (judgeExecution.ts), that the fee wallet forwards.
 */
export function judgeFeeTransfer(facts: FeeTransferFacts): readonly Verdict[] {
  const { feeTransfer, engine, feeBps, amountInRaw } = facts
  const parsed = feeTransferSchema.nullable().safeParse(feeTransfer)
  const verdicts = [
    judge('build.response.fee-transfer', parsed.success, {
      expected: 'null, or token, to and amountRaw',
      seen: feeTransfer,
    }),
  ]
  if (!parsed.success) {
    verdicts.push(...judgeMalformedFields(feeTransfer))
    return verdicts
  }
  const transfer = parsed.data
  const amountRaw = transfer === null ? 0n : BigInt(transfer.amountRaw)
  const classes = [
    engine,
    feeBps === 0 ? 'fee-zero' : feeOf(amountInRaw, feeBps) === 0n ? 'fee-below-unit' : 'fee',
  ]

  if (feeBps === 0) {
    verdicts.push(
      judge('build.fee-transfer.only-with-fee', amountRaw === 0n, {
        expected: null,
        seen: transfer,
        boundaryClasses: classes,
      }),
    )
  } else if (FEE_TRANSFER_VENUES.has(engine)) {
    const nothingToSend = feeOf(amountInRaw, feeBps) === 0n
    const { feeInsideRaw } = facts
    const isUnknown = transfer === null && !nothingToSend && feeInsideRaw === null
    const isInside = feeInsideRaw !== null && feeIsFair(feeInsideRaw, amountInRaw, feeBps)
    verdicts.push(
      isUnknown
        ? observe('build.fee-transfer.other-venues', transfer, `${engine} settles the fee itself`)
        : judge('build.fee-transfer.venues', transfer !== null || nothingToSend || isInside, {
            expected: 'a fee transfer, or the fee inside the transaction',
            seen: transfer,
            boundaryClasses: classes,
          }),
    )
  } else if (transfer !== null) {
    verdicts.push(observe('build.fee-transfer.other-venues', transfer, `attached by ${engine}`))
  }
  if (transfer === null) return verdicts

  const namesInput = facts.inputIsNative
    ? transfer.token === 'native'
    : sameAddress(transfer.token, facts.tokenIn)
  verdicts.push(
    judge('amounts.base-unit-strings', true, { expected: 'a decimal string', seen: transfer.amountRaw }),
    judge('fee-transfer.token', namesInput, {
      expected: facts.inputIsNative ? 'native' : facts.tokenIn,
      seen: transfer.token,
      boundaryClasses: [facts.inputIsNative ? 'native' : 'erc20'],
    }),
    judge('fee-transfer.amount-raw', feeIsFair(amountRaw, amountInRaw, feeBps), {
      expected: feeOf(amountInRaw, feeBps),
      seen: transfer.amountRaw,
      note: `${feeBps} bps of ${amountInRaw}`,
      boundaryClasses: classes,
    }),
  )
  if (facts.feeWallet !== null) {
    verdicts.push(
      judge('fee-transfer.to', sameAddress(transfer.to, facts.feeWallet), {
        expected: facts.feeWallet,
        seen: transfer.to,
      }),
    )
  }
  return verdicts
}

function judgeMalformedFields(feeTransfer: unknown): readonly Verdict[] {
  if (typeof feeTransfer !== 'object' || feeTransfer === null) return []
  const body = feeTransfer as Readonly<Record<string, unknown>>
  const fields = [
    ['token', 'fee-transfer.token'],
    ['to', 'fee-transfer.to'],
    ['amountRaw', 'fee-transfer.amount-raw'],
    ['amountRaw', 'amounts.base-unit-strings'],
  ] as const
  return fields
    .filter(([field]) => !feeTransferSchema.shape[field].safeParse(body[field]).success)
    .map(([field, id]) => judge(id, false, { expected: 'well formed', seen: body[field] }))
}
