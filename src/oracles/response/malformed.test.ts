import { expect, test } from 'vitest'
import {
  alternativeSchema,
  attributionSchema,
  feeEnvelopeShape,
  feeTransferSchema,
  formOf,
  hopSchema,
  routeSchema,
  txSchema,
} from '../../spec/wire.ts'
import { judgeFeeTransfer } from '../build/feeTransfer.ts'
import { judgeTx } from '../build/tx.ts'
import { judgeFeeEnvelope } from '../route/envelope.ts'
import { judgeRouteShape } from '../route/routeShape.ts'
import { FEE_WALLET, NATIVE, route, tx } from '../testdata/honest.ts'
import type { Verdict } from '../verdict.ts'
import { malformedDetails } from './malformed.ts'

test('every field that the specification shows has its form in words', () => {
  const shapes = [alternativeSchema, attributionSchema, feeTransferSchema, hopSchema, routeSchema, txSchema]
  for (const shape of [feeEnvelopeShape, ...shapes.map((schema) => schema.shape)])
    for (const [field, schema] of Object.entries(shape)) expect(formOf(schema), field).toMatch(/^\S.{3,}$/)
})

const [winner, second] = route.alternatives
const ofRoute = (change: object) => judgeRouteShape('quote', { ...route, ...change }).verdicts
const ofTx = (change: object) =>
  judgeTx({
    ...{ tx: { ...tx, ...change }, inputIsNative: true, amountInRaw: 1n, feeTransferRaw: 0n },
    approval: null,
  }).verdicts
const ofTransfer = (feeTransfer: object) =>
  judgeFeeTransfer({
    ...{ feeTransfer, engine: 'venue_c', feeBps: 25, amountInRaw: 1_000n, inputIsNative: true },
    ...{ tokenIn: NATIVE, feeWallet: FEE_WALLET, feeInsideRaw: 0n },
  })
const ofFees = (change: object) =>
  judgeFeeEnvelope({
    endpoint: 'quote',
    asked: {},
    body: {
      ...{ route: null, listedFeeBps: 0, integratorFeeBps: 0, partnerFeeBps: 0, totalFeeBps: 0 },
      ...{ partnerFeeRecipient: null, ...change },
    },
  })

test.each<[string, readonly Verdict[], string, string, string]>([
  [
    'alternatives.delta',
    ofRoute({ alternatives: [winner, { ...second, deltaBps: '5' }] }),
    'alternatives[].deltaBps: a number, 0 or more',
    'alternatives[1].deltaBps: "5"',
    'a number as text',
  ],
  [
    'amounts.human-units',
    ofRoute({ amountIn: 'one', amountOut: -1, minimumReceived: Number.POSITIVE_INFINITY }),
    'amountIn: a number, 0 or more; amountOut: a number, 0 or more; minimumReceived: a number, 0 or more',
    'amountIn: "one"; amountOut: -1; minimumReceived: Infinity',
    'several fields of one clause',
  ],
  [
    'route.slippage-echo',
    ofRoute({ slippageBps: 50.5 }),
    'slippageBps: a whole number from 0 to 5000',
    'slippageBps: 50.5',
    'a range',
  ],
  ['hops.present', ofRoute({ hops: [] }), 'hops: at least one hop', 'hops: []', 'an empty list'],
  [
    'alternatives.label',
    ofRoute({ alternatives: [{ ...winner, label: ' ' }] }),
    'alternatives[].label: a string that is not blank',
    'alternatives[0].label: " "',
    'a blank label',
  ],
  [
    'tx.value.decimal',
    ofTx({ value: '0x1' }),
    'tx.value: base units as a string of decimal digits',
    'tx.value: "0x1"',
    'a value as hex',
  ],
  [
    'build.response.tx',
    ofTx({ to: undefined, permit2: 'yes' }),
    'tx.to: an address, 0x and 40 hex digits; tx.permit2: true or false',
    'tx.to: absent; tx.permit2: "yes"',
    'an incomplete transaction',
  ],
  [
    'fee-transfer.to',
    ofTransfer({ token: 'native', to: 'us', amountRaw: '2' }),
    'feeTransfer.to: an address, 0x and 40 hex digits',
    'feeTransfer.to: "us"',
    'a transfer to no address',
  ],
  [
    'fees.envelope',
    ofFees({ partnerFeeBps: null, partnerFeeRecipient: '' }),
    'partnerFeeBps: a whole number from 0 to 50; partnerFeeRecipient: an address, 0x and 40 hex digits, or null',
    'partnerFeeBps: null; partnerFeeRecipient: ""',
    'two fees',
  ],
])('%s says which form was expected, and what there was', (id, verdicts, expected, actual, _what) => {
  const failed = verdicts.find(({ requirement, outcome }) => requirement === id && outcome === 'fail')
  expect(failed).toMatchObject({ expected, actual })
})

test('the entries of a list have one form', () => {
  const deltaBps = ofRoute({
    alternatives: [winner, second].map((one) => ({ ...one, deltaBps: 'far' })),
  }).find(({ outcome }) => outcome === 'fail')
  expect(deltaBps).toMatchObject({
    expected: 'alternatives[].deltaBps: a number, 0 or more',
    actual: 'alternatives[0].deltaBps: "far"; alternatives[1].deltaBps: "far"',
  })
})

test('many malformed fields are counted', () => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, form: 'a number', value: path }))
  expect(malformedDetails(fields).actual).toBe('a: "a"; b: "b"; c: "c"; and 2 more')
})
