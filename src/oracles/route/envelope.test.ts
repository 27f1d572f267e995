import { expect, test } from 'vitest'
import { failedRequirements } from '../verdict.ts'
import { type EnvelopeFacts, judgeFeeEnvelope } from './envelope.ts'

const RECIPIENT = '0x00000000000000000000000000000000000000Aa'
const body = {
  route: {},
  listedFeeBps: 0,
  integratorFeeBps: 0,
  partnerFeeBps: 25,
  partnerFeeRecipient: RECIPIENT.toLowerCase(),
  totalFeeBps: 25,
}
const facts = (change: object, asked: EnvelopeFacts['asked'] = withFee): EnvelopeFacts => ({
  endpoint: 'quote',
  body: { ...body, ...change },
  asked,
})
const withFee = { partnerFeeBps: 25, partnerFeeRecipient: RECIPIENT }
const noRoute = { route: null, partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 }
const noFee = { partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 }

test.each([
  ['with a fee', facts({})],
  ['without a fee', facts(noFee, {})],
  ['that shows an integrator fee', facts({ integratorFeeBps: 1 })],
  ['with a recipient but a fee of 0', facts(noFee, { partnerFeeBps: 0, partnerFeeRecipient: RECIPIENT })],
  ['without a route though a fee was asked for', facts(noRoute)],
  ['of a build', { ...facts({}), endpoint: 'build' as const }],
])('an honest envelope %s fails nothing', (_case, honest) => {
  const verdicts = judgeFeeEnvelope(honest)
  expect(failedRequirements(verdicts)).toEqual([])
  expect(verdicts.length).toBeGreaterThan(5)
})

test.each([
  ['that charges a fee of its own', facts({ listedFeeBps: 5 }), ['fees.listed.zero']],
  [
    'that shows an integrator fee without a route',
    facts({ ...noRoute, integratorFeeBps: 1 }),
    ['quote.no-price.zero-envelope'],
  ],
  ['that forgets the fee asked for', facts({ partnerFeeBps: 0, totalFeeBps: 0 }), ['fees.partner.echo']],
  ['whose total leaves the partner fee out', facts({ totalFeeBps: 0 }), ['fees.total.equals-partner']],
  ['that pays somebody else', facts({ partnerFeeRecipient: `0x${'b'.repeat(40)}` }), ['fees.recipient.echo']],
  ['that drops the recipient', facts({ partnerFeeRecipient: null }), ['fees.recipient.echo']],
  [
    'that names a recipient without a fee',
    facts({ ...noFee, partnerFeeRecipient: RECIPIENT }, { partnerFeeBps: 0, partnerFeeRecipient: RECIPIENT }),
    ['fees.recipient.null'],
  ],
  [
    'that echoes the fee without a route',
    facts({ route: null }),
    ['fees.recipient.null', 'quote.no-price.zero-envelope'],
  ],
  [
    'that takes a fee nobody asked for',
    facts({ partnerFeeBps: 10, totalFeeBps: 10, partnerFeeRecipient: null }, {}),
    ['fees.partner.echo', 'quote.partner-fee.default'],
  ],
  ['that leaves a field out', facts({ totalFeeBps: undefined }), ['fees.envelope', 'quote.response.shape']],
  ['that writes a fee as text', facts({ partnerFeeBps: '25' }), ['fees.envelope', 'quote.response.shape']],
  ['that leaves the route out', facts({ route: undefined }), ['quote.response.shape']],
])('catches a service %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeFeeEnvelope(broken))).toEqual(failed)
})

test('a build without the envelope fails the clause of build too', () => {
  const broken = { ...facts({ listedFeeBps: null }), endpoint: 'build' as const }
  expect(failedRequirements(judgeFeeEnvelope(broken))).toEqual([
    'fees.envelope',
    'build.response.fee-envelope',
  ])
})
