import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
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

const SWAP = { from: 'ETH', to: 'USDG', amount: 1, sender: USER }
const QUERY = { from: 'ETH', to: 'USDG', amount: '1' }
const REPORT = { buildId: '11111111-2222-4333-8444-555555555555', txHash: `0x${'ab'.repeat(32)}` }
const LONG = 'x'.repeat(5_000)
/** One field of each kind, and values that are near to one of the kind. */
const WRONG: readonly (readonly [
  schema: z.ZodType,
  good: object,
  field: string,
  values: readonly unknown[],
])[] = [
  [
    quoteQuerySchema,
    QUERY,
    'fromDecimals',
    [
      ...['', ' ', 'abc', '1.5', '1.0', '1e1', '0x10', '0b1', '1_0', '+5', ' 5', '5 ', '5\n', 'NaN'],
      ...['Infinity', '-1', '37', '9'.repeat(400), 'true', 'null', '[]', '٣', ['6', '6']],
    ],
  ],
  [
    quoteQuerySchema,
    QUERY,
    'fromPriceUsd',
    [
      ...['', ' ', 'abc', '0', '-0', '0.0', '0e5', '-1', '1e400', '1e-400', '0x10', '1_000', '1,5', '+1'],
      ...[' 1', '1 ', '1\n', '.5', '5.', '1e', 'e1', 'NaN', 'Infinity', 'true', 'null', '٣'],
    ],
  ],
  [buildBodySchema, SWAP, 'toDecimals', [null, '1', '', true, [], [1], {}, Infinity, 37, -1, 0.5, 1e300]],
  [buildBodySchema, SWAP, 'toPriceUsd', [null, '1', '', true, [], [1], {}, Infinity, 0, -0, -1]],
  [buildBodySchema, SWAP, 'from', [null, 1, true, [], {}, ['ETH'], '', 'A'.repeat(25), 'É', 'ETH\n', '＄']],
  [buildBodySchema, SWAP, 'engine', [null, '', 'market', 'VENUE_A', 'venue_a ', '__proto__', 'toString']],
  ...['fromAddress', 'toAddress'].map(
    (field) =>
      [
        buildBodySchema,
        SWAP,
        field,
        [
          ...[null, 1, [], {}, '', '0x', USER.slice(0, -1), `${USER}0`, `0X${USER.slice(2)}`, USER.slice(2)],
          ...[`${USER}\n`, ` ${USER}`, `0x${'g'.repeat(40)}`, 'vitalik.eth', LONG],
        ],
      ] as const,
  ),
  [buildBodySchema, SWAP, 'toAddress', ['native']],
  [
    confirmBodySchema,
    REPORT,
    'buildId',
    [
      ...[null, 1, [], {}, '', 'x', REPORT.buildId.slice(0, -1), `${REPORT.buildId}5`, LONG],
      ...[REPORT.buildId.replaceAll('-', ''), `{${REPORT.buildId}}`, ` ${REPORT.buildId}`],
      ...[`${REPORT.buildId}\n`, `urn:uuid:${REPORT.buildId}`, `g${REPORT.buildId.slice(1)}`],
    ],
  ],
  [
    confirmBodySchema,
    REPORT,
    'txHash',
    [
      ...[null, 1, [], {}, '', '0x', REPORT.txHash.slice(0, -1), `${REPORT.txHash}0`, USER, LONG],
      ...[REPORT.txHash.slice(2), `0X${REPORT.txHash.slice(2)}`, `${REPORT.txHash}\n`],
      `0x${'zz'.repeat(32)}`,
    ],
  ],
]
it.each(
  WRONG.flatMap(([schema, good, field, values]) => values.map((value) => ({ schema, good, field, value }))),
)('$field is refused as $value', ({ schema, good, field, value }) => {
  const refused = schema.safeParse({ ...good, [field]: value })
  expect(refused.error?.issues.map(({ path }) => path)).toEqual([[field]])
})

it('names that contradict each other are refused, and so is a fee without a recipient', () => {
  const pathsOf = (changes: object) =>
    buildBodySchema.safeParse({ ...SWAP, ...changes }).error?.issues.map(({ path }) => path[0])
  expect(pathsOf({ engine: 'venue_a', preferEngine: 'venue_b' })).toEqual(['engine'])
  expect(pathsOf({ partnerFeeBps: 1 })).toEqual(['partnerFeeRecipient'])
  expect(pathsOf({ partnerFeeBps: 0 })).toBeUndefined()
})
