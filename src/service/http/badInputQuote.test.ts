import { describe, expect, it } from 'vitest'
import {
  ADDRESSES,
  BAD_TEXTS,
  expectRefused,
  type Field,
  GOOD_SWAP,
  INTEGERS,
  POSITIVES,
  useService,
} from './testing/badInput.ts'

const { quote } = useService()

const queryOf = (changes: Readonly<Record<string, string | undefined>>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...GOOD_SWAP, ...changes })) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.toString()
}

const BAD_NUMBERS = {
  integer: [
    '',
    ' ',
    'abc',
    '1.5',
    '1.0',
    '1e1',
    '0x10',
    '0b1',
    '1_0',
    '+5',
    ' 5',
    '5 ',
    '5\n',
    'NaN',
    'Infinity',
    '-1',
    '-Infinity',
    '9'.repeat(400),
    'true',
    'null',
    '[]',
    '٣',
  ],
  positive: [
    '',
    ' ',
    'abc',
    '0',
    '-0',
    '0.0',
    '0e5',
    '-1',
    '1e400',
    '1e-400',
    '0x10',
    '1_000',
    '1,5',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '.5',
    '5.',
    '1e',
    'e1',
    'NaN',
    'Infinity',
    'true',
    'null',
    '٣',
  ],
}

describe('quote refuses', () => {
  it('nothing when every parameter is good', async () => {
    expect((await quote(queryOf({}))).status).toBe(200)
  })

  const texts: readonly (readonly [Field, readonly string[]])[] = [
    ['from', BAD_TEXTS.symbol ?? []],
    ['to', BAD_TEXTS.symbol ?? []],
    ...ADDRESSES.map((field) => [field, BAD_TEXTS.address ?? []] as const),
    ...Object.entries(INTEGERS).map(
      ([field, { outside }]) => [field as Field, [...BAD_NUMBERS.integer, ...outside]] as const,
    ),
    ...POSITIVES.map((field) => [field, BAD_NUMBERS.positive] as const),
  ]
  it.each(texts.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s = %j',
    async (field, value) => {
      expectRefused(await quote(queryOf({ [field]: value })), field)
    },
  )

  it.each(
    (BAD_TEXTS.engine ?? []).flatMap(
      (value) =>
        [
          ['preferEngine', 'engine', value],
          ['engine', 'preferEngine', value],
        ] as const,
    ),
  )('%s without %s = %j', async (field, other, value) => {
    expectRefused(await quote(queryOf({ [field]: value, [other]: undefined })), field)
  })

  it('toAddress = native', async () => {
    expectRefused(await quote(queryOf({ toAddress: 'native' })), 'toAddress')
    expect((await quote(queryOf({ fromAddress: 'native' }))).status).toBe(200)
  })

  it.each(['from', 'to', 'amount'])('a missing %s', async (field) => {
    expectRefused(await quote(queryOf({ [field]: undefined })), field)
  })

  it.each(Object.keys(GOOD_SWAP))('%s given twice, even alike', async (field) => {
    const value = String(GOOD_SWAP[field as Field])
    expectRefused(await quote(`${queryOf({})}&${new URLSearchParams({ [field]: value })}`), field)
  })

  it.each(['from[]', 'from.x', 'from[0]'])(
    'a %s that would be an array or object elsewhere',
    async (name) => {
      expectRefused(
        await quote(`${queryOf({ from: undefined })}&${new URLSearchParams({ [name]: 'ETH' })}`),
        'from',
      )
    },
  )

  it('two engines that differ', async () => {
    expectRefused(await quote(queryOf({ engine: 'venue_b' })), 'engine')
  })

  it('a partner fee without a recipient, but no recipient without a fee', async () => {
    expectRefused(await quote(queryOf({ partnerFeeRecipient: undefined })), 'partnerFeeRecipient')
    const free = { partnerFeeRecipient: undefined, partnerFeeBps: '0' }
    expect((await quote(queryOf(free))).status).toBe(200)
    expect((await quote(queryOf({ partnerFeeBps: undefined }))).status).toBe(200)
  })

  it('several faults at once, each named once', async () => {
    const { status, body } = await quote('from=&amount=0')
    expect(status).toBe(400)
    expect((body as { error: string }).error.match(/\b(?:from|to|amount): /g)).toEqual([
      'from: ',
      'to: ',
      'amount: ',
    ])
  })

  it('a query without parameters, or broken percent signs', async () => {
    expectRefused(await quote(''), 'from')
    expectRefused(await quote('from=%E0%A4%A&to=USDG&amount=1'), 'from')
  })

  it('no unknown parameters, the names of prototypes among them', async () => {
    const extra =
      '__proto__=x&__proto__.from=1&constructor=x&prototype=x&toString=x&hasOwnProperty=x&unknown=1'
    expect((await quote(`${queryOf({})}&${extra}`)).status).toBe(200)
    expectRefused(await quote(`__proto__[from]=ETH&to=USDG&amount=1`), 'from')
  })

  it.each(
    Object.entries(INTEGERS).flatMap(([field, { inside }]) => inside.map((value) => [field, value] as const)),
  )('nothing when %s = %s', async (field, value) => {
    expect((await quote(queryOf({ [field]: value }))).status).toBe(200)
  })

  it.each(['1', '0.1', '1e-18', '1E3', '1e+3', '1e308', '0012', '5e-324'])(
    'nothing when amount = %s',
    async (amount) => {
      expect((await quote(queryOf({ amount }))).status).toBe(200)
    },
  )

  it.each(['A', 'a.b_C-9', 'x'.repeat(24), '__proto__', 'constructor'])(
    'nothing when from = %s',
    async (from) => {
      expect((await quote(queryOf({ from }))).status).toBe(200)
    },
  )
})
