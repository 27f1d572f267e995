import { feeEnvelopeShape } from '../spec/wire.ts'
import { judge, judgeEqual, sameAddress, type Verdict } from './verdict.ts'

export interface EnvelopeFacts {
  readonly endpoint: 'quote' | 'build'
  /** The parsed body of an answer 200. */
  readonly body: Readonly<Record<string, unknown>>
  /** What the request asked for; absent when it did not say. */
  readonly asked: { readonly partnerFeeBps?: number; readonly partnerFeeRecipient?: string }
}

/**
 * Judges the fee envelope of a quote or a build (§2.1, §4.1 rule 1).
 *
 * Not judged: whether the amounts really are net of the fee (quoteVsModel.ts, settlement.ts), and whether the request
 * should have been refused.
 */
export function judgeFeeEnvelope({ endpoint, body, asked }: EnvelopeFacts): readonly Verdict[] {
  const malformed = Object.entries(feeEnvelopeShape)
    .filter(([field, schema]) => !schema.safeParse(body[field]).success)
    .map(([field]) => field)
  const shape = { expected: 'five well-formed fee fields', seen: { malformed } }
  const verdicts = [judge('fees.envelope', malformed.length === 0, shape)]
  if (endpoint === 'build') {
    verdicts.push(judge('build.response.fee-envelope', malformed.length === 0, shape))
  } else {
    const whole = malformed.length === 0 && body.route !== undefined
    verdicts.push(judge('quote.response.shape', whole, { ...shape, expected: 'route and five fee fields' }))
  }
  if (malformed.length > 0) return verdicts

  const routeIsNull = body.route === null
  const feeBps = routeIsNull ? 0 : (asked.partnerFeeBps ?? 0)
  const recipient = body.partnerFeeRecipient as string | null
  verdicts.push(
    judgeEqual('fees.listed.zero', body.listedFeeBps, 0),
    judgeEqual('limits.service-fee', body.listedFeeBps, 0),
    judgeEqual('fees.integrator.zero', body.integratorFeeBps, 0),
    judgeEqual('fees.total.equals-partner', body.totalFeeBps, body.partnerFeeBps),
  )
  if (feeBps === 0) verdicts.push(judgeEqual('fees.recipient.null', recipient, null))
  if (routeIsNull) {
    const seen = Object.fromEntries(Object.keys(feeEnvelopeShape).map((field) => [field, body[field]]))
    const zero = Object.values(seen).every((value) => value === 0 || value === null) && recipient === null
    verdicts.push(
      judge('quote.no-price.zero-envelope', zero, {
        expected: 'every fee field 0, the recipient null',
        seen,
        boundaryClasses: [
          (asked.partnerFeeBps ?? 0) > 0 ? 'fee-asked-without-route' : 'no-fee-without-route',
        ],
      }),
    )
    return verdicts
  }

  verdicts.push(
    judgeEqual('fees.partner.echo', body.partnerFeeBps, feeBps, {
      boundaryClasses: feeBps === 0 ? ['fee-zero'] : feeBps === 50 ? ['fee-max'] : ['fee-between'],
    }),
  )
  if (asked.partnerFeeBps === undefined) {
    const id = endpoint === 'quote' ? 'quote.partner-fee.default' : 'build.partner-fee.default'
    verdicts.push(judgeEqual(id, body.partnerFeeBps, 0))
  }
  if (feeBps > 0) {
    verdicts.push(
      judge('fees.recipient.echo', sameAddress(recipient, asked.partnerFeeRecipient ?? null), {
        expected: asked.partnerFeeRecipient ?? null,
        seen: recipient,
      }),
    )
  }
  return verdicts
}
