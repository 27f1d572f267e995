import { type Defect, defect } from './defect.ts'
import {
  type Endpoint,
  type Fields,
  fieldsOf,
  inFront,
  isFor,
  type Json,
  jsonOf,
  showing,
} from './making/wire.ts'

/** Both endpoints that carry the fee envelope. */
const fees = (change: (body: Json, fields: Fields) => void) =>
  inFront((inject) => async (request) => {
    const answer = await inject(request)
    const carries = (['quote', 'build'] satisfies Endpoint[]).some((endpoint) => isFor(endpoint, request))
    if (!carries || answer.statusCode !== 200) return answer
    const body = jsonOf(answer)
    change(body, fieldsOf(request))
    return { ...answer, body: JSON.stringify(body) }
  })

/** §2.1: mistakes in the fee envelope. */
export const envelopeDefects: readonly Defect[] = [
  defect(
    'fees.total-missing-without-fee',
    'fees.envelope',
    'totalFeeBps is left out when there is no fee',
    fees((body) => {
      if (body.totalFeeBps === 0) delete body.totalFeeBps
    }),
  ),
  defect(
    'fees.listed-five',
    'fees.listed.zero',
    'listedFeeBps shows the fee of the web application',
    fees((body) => {
      body.listedFeeBps = 5
    }),
  ),
  defect(
    'fees.listed-on-build',
    'limits.service-fee',
    'builds show the service fee that was planned, 1 bps',
    showing('build', (body) => {
      body.listedFeeBps = 1
    }),
  ),
  defect(
    'fees.integrator-is-partner',
    'fees.integrator.zero',
    'integratorFeeBps repeats the partner fee',
    fees((body) => {
      body.integratorFeeBps = body.partnerFeeBps
    }),
  ),
  defect(
    'fees.partner-not-echoed',
    'fees.partner.echo',
    'partnerFeeBps shows half of what was asked for: the share of the partner',
    fees((body) => {
      body.partnerFeeBps = Math.floor(body.partnerFeeBps / 2)
    }),
  ),
  defect(
    'fees.recipient-is-fee-wallet',
    'fees.recipient.echo',
    'partnerFeeRecipient shows the fee wallet of the service',
    fees((body) => {
      if (body.partnerFeeRecipient !== null) body.partnerFeeRecipient = `0x${'fe'.repeat(20)}`
    }),
  ),
  defect(
    'fees.recipient-zero-address',
    'fees.recipient.null',
    'partnerFeeRecipient is the zero address where it should be null',
    fees((body) => {
      body.partnerFeeRecipient ??= `0x${'0'.repeat(40)}`
    }),
  ),
  defect(
    'fees.total-adds-network',
    'fees.total.equals-partner',
    'totalFeeBps counts the pool fee of 30 bps in',
    fees((body) => {
      if (body.route !== null) body.totalFeeBps += 30
    }),
  ),
]
