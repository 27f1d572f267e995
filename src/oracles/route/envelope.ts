import { z } from 'zod'
import { feeEnvelopeShape, formOf } from '../../spec/wire.ts'
import { malformedDetails } from '../response/malformed.ts'
import { judgedBy, wellFormedFields } from '../response/wellFormed.ts'
import { judge, judgeEqual, judgeForm, sameAddress, type Verdict, withChoice } from '../verdict.ts'

const FEES = z.object(feeEnvelopeShape)
const FIELDS = Object.keys(feeEnvelopeShape) as (keyof typeof feeEnvelopeShape)[]

export interface EnvelopeFacts {
  readonly endpoint: 'quote' | 'build'
  /** The parsed body of a 200 response. */
  readonly body: Readonly<Record<string, unknown>>
  /** The fee and its recipient as requested; absent when the request did not give them. */
  readonly asked: { readonly partnerFeeBps?: number; readonly partnerFeeRecipient?: string }
}

/**
 * Judges the fee envelope of a quote or a build (§2.1, §4.1 rule 1). Checks that depend on a malformed field are skipped.
 *
 * Not judged: whether the amounts are net of the fee (quoteVsModel.ts, settlement.ts), or the request should be refused.
 */
export function judgeFeeEnvelope({ endpoint, body, asked }: EnvelopeFacts): readonly Verdict[] {
  const fees = wellFormedFields(FEES, body)
  const malformed = FIELDS.filter((path) => fees[path] === undefined).map((path) => ({
    path,
    form: formOf(feeEnvelopeShape[path]),
    value: body[path],
  }))
  const shape =
    malformed.length === 0
      ? { expected: 'five fee fields', actual: 'five fee fields' }
      : malformedDetails(malformed)
  const verdicts = [judgeForm('fees.envelope', malformed.length === 0, shape)]
  if (endpoint === 'build') {
    verdicts.push(judgeForm('build.response.fee-envelope', malformed.length === 0, shape))
  } else {
    const route = { path: 'route', form: 'an object, or null', value: body.route }
    const lacking = body.route === undefined ? [route, ...malformed] : malformed
    const whole = lacking.length === 0
    verdicts.push(judgeForm('quote.response.shape', whole, whole ? shape : malformedDetails(lacking)))
  }

  const routeIsNull = body.route === null
  const feeBps = routeIsNull ? 0 : (asked.partnerFeeBps ?? 0)
  const recipient = asked.partnerFeeRecipient ?? null
  verdicts.push(
    ...judgedBy(fees, ['listedFeeBps'], ({ listedFeeBps }) => [
      judgeEqual('fees.listed.zero', listedFeeBps, 0),
    ]),
    ...judgedBy(fees, ['integratorFeeBps'], ({ integratorFeeBps }) =>
      withChoice(
        judgeEqual('fees.integrator.zero', integratorFeeBps, 0),
        'fees.integrator.zero',
        integratorFeeBps === 0 ? 'zero' : 'other',
      ),
    ),
    ...judgedBy(fees, ['totalFeeBps', 'partnerFeeBps'], ({ totalFeeBps, partnerFeeBps }) =>
      judgeEqual('fees.total.equals-partner', totalFeeBps, partnerFeeBps),
    ),
    ...judgedBy(fees, ['partnerFeeRecipient'], ({ partnerFeeRecipient }) =>
      feeBps === 0 ? judgeEqual('fees.recipient.null', partnerFeeRecipient, null) : [],
    ),
  )
  if (routeIsNull) {
    return [
      ...verdicts,
      ...judgedBy(fees, FIELDS, ({ partnerFeeRecipient, ...numbers }) =>
        judge(
          'quote.no-price.zero-envelope',
          partnerFeeRecipient === null && Object.values(numbers).every((value) => value === 0),
          {
            expected: 'every fee field 0, the recipient null',
            actual: fees,
            boundaryClasses: [
              (asked.partnerFeeBps ?? 0) > 0 ? 'fee-asked-without-route' : 'no-fee-without-route',
            ],
          },
        ),
      ),
    ]
  }

  const byDefault = endpoint === 'quote' ? 'quote.partner-fee.default' : 'build.partner-fee.default'
  return [
    ...verdicts,
    ...judgedBy(fees, ['partnerFeeBps'], ({ partnerFeeBps }) => [
      judgeEqual('fees.partner.echo', partnerFeeBps, feeBps, {
        boundaryClasses: feeBps === 0 ? ['fee-zero'] : feeBps === 50 ? ['fee-max'] : ['fee-between'],
      }),
      ...(asked.partnerFeeBps === undefined ? [judgeEqual(byDefault, partnerFeeBps, 0)] : []),
    ]),
    ...judgedBy(fees, ['partnerFeeRecipient'], ({ partnerFeeRecipient }) =>
      feeBps > 0
        ? judge('fees.recipient.echo', sameAddress(partnerFeeRecipient, recipient), {
            expected: recipient,
            actual: partnerFeeRecipient,
          })
        : [],
    ),
  ]
}
