import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { around } from '../../src/service/testing.ts'
import { SOMEBODY } from './helpers/values.ts'
import { changeBody, type Json } from './helpers/wire.ts'

/** Changes the fee envelope in quotes and builds, by the members that `change` returns. */
const onFees = (change: (body: Json) => unknown) => around(fees('quote', change), fees('build', change))
const fees = (endpoint: 'quote' | 'build', change: (body: Json) => unknown) =>
  changeBody(endpoint, (body) => Object.assign(body, change(body)))

/** §2.1: mistakes in the fee envelope. */
export const envelopeDefects: readonly Defect[] = [
  ...defectTable(onFees, {
    'fees.total-missing-without-fee': [
      'fees.envelope',
      'totalFeeBps is missing when there is no fee',
      (body) => {
        if (body.totalFeeBps === 0) delete body.totalFeeBps
      },
    ],
    'fees.listed-five': ['fees.listed.zero', 'listedFeeBps is 5', () => ({ listedFeeBps: 5 })],
    'fees.partner-not-echoed': [
      'fees.partner.echo',
      'partnerFeeBps shows half of the requested fee',
      ({ partnerFeeBps }) => ({ partnerFeeBps: Math.floor(partnerFeeBps / 2) }),
    ],
    'fees.recipient-is-fee-wallet': [
      'fees.recipient.echo',
      'partnerFeeRecipient shows the fee wallet of the service',
      ({ partnerFeeRecipient }) => partnerFeeRecipient !== null && { partnerFeeRecipient: SOMEBODY },
    ],
    'fees.recipient-zero-address': [
      'fees.recipient.null',
      'partnerFeeRecipient is the zero address where it should be null',
      ({ partnerFeeRecipient }) => ({ partnerFeeRecipient: partnerFeeRecipient ?? `0x${'0'.repeat(40)}` }),
    ],
    'fees.total-adds-network': [
      'fees.total.equals-partner',
      'totalFeeBps includes the pool fee of 30 bps',
      ({ route, totalFeeBps }) => route !== null && { totalFeeBps: totalFeeBps + 30 },
    ],
  }),
  ...defectTable((change: (body: Json) => unknown) => fees('build', change), {
    'fees.listed-on-build': [
      'fees.listed.zero',
      'builds show a service fee of 1 bps',
      () => ({ listedFeeBps: 1 }),
    ],
  }),
]
