import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildBodySchema, confirmBodySchema, quoteQuerySchema } from './requests.ts'

const USER = '0x00000000000000000000000000000000000000Aa'
const PAYEE = '0x00000000000000000000000000000000000000bB'

describe('quote query', () => {
  it('fills in every default', () => {
    expect(quoteQuerySchema.parse({ from: 'ETH', to: 'USDG', amount: '1' })).toEqual({
      from: 'ETH',
      to: 'USDG',
      amount: 1,
      fromAddress: null,
      toAddress: null,
      fromDecimals: null,
      toDecimals: null,
      slippageBps: 50,
      sender: null,
      partnerFeeBps: 0,
      partnerFeeRecipient: null,
      preferEngine: null,
      fromPriceUsd: null,
      toPriceUsd: null,
    })
  })

  it('reads every parameter', () => {
    const query = {
      from: 'a.b_C-9',
      to: 'USDG',
      amount: '2.5e-3',
      fromAddress: 'native',
      toAddress: USER,
      fromDecimals: '0',
      toDecimals: '36',
      slippageBps: '5000',
      sender: USER,
      partnerFeeBps: '50',
      partnerFeeRecipient: PAYEE,
      engine: 'venue_f',
      fromPriceUsd: '2500.5',
      toPriceUsd: '1',
    }
    expect(quoteQuerySchema.parse(query)).toEqual({
      from: 'a.b_C-9',
      to: 'USDG',
      amount: 0.0025,
      fromAddress: 'native',
      toAddress: USER,
      fromDecimals: 0,
      toDecimals: 36,
      slippageBps: 5000,
      sender: USER,
      partnerFeeBps: 50,
      partnerFeeRecipient: PAYEE,
      preferEngine: 'venue_f',
      fromPriceUsd: 2500.5,
      toPriceUsd: 1,
    })
  })

  it.each([
    ['1e-18', 1e-18],
    ['1E+21', 1e21],
    ['00012', 12],
    ['0.1', 0.1],
  ])('reads the amount %s', (amount, value) => {
    expect(quoteQuerySchema.parse({ from: 'ETH', to: 'USDG', amount }).amount).toBe(value)
  })

  it('accepts both names of the preferred engine when they agree', () => {
    const query = { from: 'ETH', to: 'USDG', amount: '1', engine: 'venue_b', preferEngine: 'venue_b' }
    expect(quoteQuerySchema.parse(query).preferEngine).toBe('venue_b')
  })

  it('drops a recipient that no fee goes to', () => {
    const query = { from: 'ETH', to: 'USDG', amount: '1', partnerFeeRecipient: PAYEE }
    expect(quoteQuerySchema.parse(query).partnerFeeRecipient).toBeNull()
  })

  it('gives integers no sign of zero', () => {
    const query = { from: 'ETH', to: 'USDG', amount: '1', slippageBps: '-0' }
    expect(Object.is(quoteQuerySchema.parse(query).slippageBps, 0)).toBe(true)
  })
})

describe('build body', () => {
  const least = { from: 'ETH', to: 'USDG', amount: 1, sender: USER }

  it('needs the sender and fills in the rest as the quote does', () => {
    const quoted = quoteQuerySchema.parse({ from: 'ETH', to: 'USDG', amount: '1', sender: USER })
    expect(buildBodySchema.parse(least)).toEqual(quoted)
  })

  it('reads integers however JSON spells them', () => {
    const body = JSON.parse(`{"from":"ETH","to":"USDG","amount":1e-7,"sender":"${USER}","slippageBps":5e1}`)
    expect(buildBodySchema.parse(body)).toMatchObject({ amount: 1e-7, slippageBps: 50 })
  })

  it('ignores unknown fields, the names of prototypes among them', () => {
    const body = JSON.parse(
      `{"from":"ETH","to":"USDG","amount":1,"sender":"${USER}","slippage":9,"constructor":{"prototype":{"slippageBps":1}}}`,
    )
    expect(buildBodySchema.parse(body)).toEqual(buildBodySchema.parse(least))
  })
})

it('confirm reads both values in any case and answers in lower case', () => {
  expect(
    confirmBodySchema.parse({
      buildId: 'ABCDEF00-0000-4000-8000-00000000000F',
      txHash: `0x${'A'.repeat(64)}`,
    }),
  ).toEqual({ buildId: 'abcdef00-0000-4000-8000-00000000000f', txHash: `0x${'a'.repeat(64)}` })
})

describe('as JSON schema', () => {
  const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' })

  it('shows the same types and limits for query and body', () => {
    const limits = {
      amount: { type: 'number', exclusiveMinimum: 0 },
      fromDecimals: { type: 'integer', minimum: 0, maximum: 36 },
      slippageBps: { type: 'integer', minimum: 0, maximum: 5000 },
      partnerFeeBps: { type: 'integer', minimum: 0, maximum: 50 },
      toPriceUsd: { type: 'number', exclusiveMinimum: 0 },
    }
    expect(schemaOf(quoteQuerySchema).properties).toMatchObject(limits)
    expect(schemaOf(buildBodySchema).properties).toMatchObject(limits)
  })

  it('shows what is required', () => {
    expect(schemaOf(quoteQuerySchema).required).toEqual(['from', 'to', 'amount'])
    expect(schemaOf(buildBodySchema).required).toEqual(['from', 'to', 'amount', 'sender'])
    expect(schemaOf(confirmBodySchema).required).toEqual(['buildId', 'txHash'])
  })
})
