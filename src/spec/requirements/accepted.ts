import type { RequirementId } from './index.ts'

const OTHER_FIELDS = 'other fields next to those that the specification shows'
const ANY_LETTER_CASE = 'an address in any letter case'
const SWAP_CANNOT_PAY = 'with or without a venue that quotes nothing, or what no swap pays'
const UNTIL_DEEP = '202 or 422 below 13 confirmations'
const OWN_ID = 'the same numbers under an id of its own'

/**
 * The readings that pass, for each `must` whose words allow more than one value. Requirements that are judged exactly have no
 * entry; numeric tolerances and conventions are listed elsewhere.
 */
export const ACCEPTED: Readonly<Partial<Record<RequirementId, readonly string[]>>> = {
  'alternatives.complete': [
    SWAP_CANNOT_PAY,
    'in a build, and for a sender of ETH, without the venues whose swap reverts',
  ],
  'quote.venues.all-asked': [SWAP_CANNOT_PAY],
  'alternatives.delta': [
    'of the output after gas or before it',
    'as a share of the winner or of the entry',
    'whole bps, rounded either way, or finer',
  ],
  'route.price-impact.against-mark': [
    'by the marks of the caller or by the price feeds',
    'of the input before the fee or after it',
    'as a share of either worth',
  ],
  'amounts.net-of-fee': ['the fee off the input or off the output, cut or rounded up'],
  'fees.total.baked-in': ['the fee off the input or off the output, cut or rounded up'],
  'route.amount-out': ['the fee off the input or off the output, cut or rounded up'],
  'route.amount-in': ['digits that the token cannot hold, cut or shown as they were sent'],
  'route.expires-at': ['any whole millisecond from the response to a year after it'],
  'build.requotes': ['each venue that may be the best where gas is a tenth or ten times of what is used'],
  'fees.recipient.echo': [ANY_LETTER_CASE],
  'fee-transfer.token': [ANY_LETTER_CASE],
  'fee-transfer.to': [ANY_LETTER_CASE],
  'tx.allowance-target.spender': [
    'with a permit its spender, or Permit2 itself',
    'null where an earlier approval is enough',
    ANY_LETTER_CASE,
  ],
  'tx.permit2.flag': ['a permit or an approval, by any venue, as long as it works when it is followed'],
  'build.fee-inside-tx': ['paid to the partner, or to the fee wallet'],
  'build.fee-transfer.venues': [
    'a transfer, or the fee inside `tx`; neither where the fee is less than a base unit',
  ],
  'build.fee-transfer.only-with-fee': ['null, or a transfer of 0'],
  'build.minimum.guarantee': ['any amount from the minimum up'],
  'build.never-cached': ['no `Cache-Control`, or one with `no-store` or `no-cache`'],
  'build.bad-request.body': ['any text that is not blank', OTHER_FIELDS],
  'build.no-executable-route.body': [OTHER_FIELDS],
  'build.upstream-failure': [OTHER_FIELDS],
  'build.response.tx': [OTHER_FIELDS],
  'build.response.fee-transfer': ['null', OTHER_FIELDS],
  'build.response.attribution': ['null where nothing is attributed', OTHER_FIELDS],
  'attribution.build-id': ['a UUID of any version, in any letter case'],
  'attribution.valid-until.window': [
    'seconds, milliseconds, microseconds or nanoseconds since 1970, ISO 8601, or an HTTP date; any other form is not judged',
  ],
  'quote.response.shape': [OTHER_FIELDS],
  'quote.memo.only-identical': [OWN_ID],
  'quote.memo.ends': ['fresh numbers, under any id'],
  'confirm.result-body': [OTHER_FIELDS],
  'confirm.recorded': [OTHER_FIELDS],
  'confirm.repeat.safe': ['any `recorded` and `alreadyRecorded`'],
  'confirm.retry-after': ['whole seconds, or an HTTP date'],
  'confirm.depth.twelve': ['200 or 202 at 12 confirmations'],
  'confirm.records': ['200 or 202 at 12 confirmations'],
  'confirm.pending': ['422 at once, of a transaction that can never match'],
  'confirm.rejected.reverted': [UNTIL_DEEP],
  'confirm.rejected.mismatched': [UNTIL_DEEP],
  'confirm.rejected.outside-window': [UNTIL_DEEP],
  'confirm.window.executes-within': ['200 or 422 in the last second of the window'],
  'auth.build-of-active-key': ['401 or 404'],
  'confirm.conflict.build': ['202 before the swap is deep', '422 where it does not match'],
  'confirm.conflict.transaction': ['202 before the swap is deep', '422 where it does not match'],
}
