import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeApp, fakeApp, WITH_KEY } from '../testing/fakeDomain.ts'
import { BODY_BYTES_MAX } from './server.ts'

const USER = '0x00000000000000000000000000000000000000Aa'
const HASH = `0x${'ab'.repeat(32)}`
const BUILD_ID = '11111111-2222-4333-8444-555555555555'

const GOOD_SWAP = {
  from: 'FOO',
  to: 'USDG',
  amount: 1.5,
  fromAddress: USER,
  toAddress: USER,
  fromDecimals: 18,
  toDecimals: 6,
  slippageBps: 50,
  sender: USER,
  partnerFeeBps: 10,
  partnerFeeRecipient: USER,
  preferEngine: 'venue_a',
  engine: 'venue_a',
  fromPriceUsd: 2500.5,
  toPriceUsd: 1,
}
const GOOD_REPORT = { buildId: BUILD_ID, txHash: HASH }
type Field = keyof typeof GOOD_SWAP

let service: FakeApp
beforeAll(async () => {
  service = await fakeApp()
})
afterAll(() => service.app.close())

interface Sent {
  readonly status: number
  readonly body: unknown
}

async function quote(query: string): Promise<Sent> {
  const answer = await service.app.inject({ url: `/api/v1/quote?${query}`, headers: WITH_KEY })
  return { status: answer.statusCode, body: answer.json() }
}

const queryOf = (changes: Readonly<Record<string, string | undefined>>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...GOOD_SWAP, ...changes })) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.toString()
}

async function post(
  path: string,
  payload: string | undefined,
  contentType = 'application/json',
): Promise<Sent> {
  const answer = await service.app.inject({
    method: 'POST',
    url: path,
    headers: { ...WITH_KEY, ...(contentType === '' ? {} : { 'content-type': contentType }) },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const BUILD_PATH = '/api/v1/swap/build'
const CONFIRM_PATH = '/api/v1/swap/confirm'

/** The body as JSON text with one field replaced by JSON text, so that tests can send what no JavaScript value is. */
function bodyWith(good: object, field: string, json: string | undefined): string {
  const fields = Object.entries(good).filter(([name]) => name !== field)
  const texts = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  if (json !== undefined) texts.push(`${JSON.stringify(field)}:${json}`)
  return `{${texts.join(',')}}`
}

function expectRefused(sent: Sent, field: string): void {
  expect(sent).toEqual({ status: 400, body: { error: expect.any(String) } })
  expect((sent.body as { error: string }).error).toMatch(new RegExp(`^${field}: .`))
}

const LONG = 'x'.repeat(5_000)
const BAD_TEXTS: Readonly<Record<string, readonly string[]>> = {
  symbol: ['', ' ', 'A'.repeat(25), LONG, 'A B', 'A/B', 'É', 'A\u0000', 'ETH\n', '<b>', '＄'],
  address: [
    '',
    '0x',
    '0x0',
    USER.slice(0, -1),
    `${USER}0`,
    `0X${USER.slice(2)}`,
    USER.slice(2),
    `${USER}\n`,
    ` ${USER}`,
    `0x${'g'.repeat(40)}`,
    'vitalik.eth',
    LONG,
  ],
  engine: ['', 'market', 'venue_g', 'VENUE_A', 'venue_a ', '__proto__', 'constructor', 'toString', LONG],
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
const INTEGERS = {
  fromDecimals: { inside: ['0', '36'], outside: ['37', '-1'] },
  toDecimals: { inside: ['0', '36'], outside: ['37', '-1'] },
  slippageBps: { inside: ['0', '5000'], outside: ['5001', '-1'] },
  partnerFeeBps: { inside: ['0', '50'], outside: ['51', '-1'] },
} as const
const POSITIVES = ['amount', 'fromPriceUsd', 'toPriceUsd'] as const
const ADDRESSES = ['fromAddress', 'toAddress', 'sender', 'partnerFeeRecipient'] as const

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

/** JSON of a wrong type for each kind of field. */
const NOT_TEXT = ['null', '1', 'true', '[]', '{}', '["ETH"]', '{"toString":"ETH"}']
const NOT_NUMBER = ['null', '"1"', '""', 'true', '[]', '[1]', '{}', '{"valueOf":1}', '1e400', '-1e400']

describe('build refuses', () => {
  const build = (payload: string) => post(BUILD_PATH, payload)

  it('nothing when every field is good', async () => {
    expect((await build(JSON.stringify(GOOD_SWAP))).status).toBe(200)
  })

  const json = (values: readonly string[] = []) => values.map((value) => JSON.stringify(value))
  const fields: readonly (readonly [Field, readonly string[]])[] = [
    ['from', [...NOT_TEXT, ...json(BAD_TEXTS.symbol)]],
    ['to', [...NOT_TEXT, ...json(BAD_TEXTS.symbol)]],
    ...ADDRESSES.map((field) => [field, [...NOT_TEXT, ...json(BAD_TEXTS.address)]] as const),
    ...Object.entries(INTEGERS).map(
      ([field, { outside }]) =>
        [field as Field, [...NOT_NUMBER, ...outside, '0.5', '1e-1', '1e300']] as const,
    ),
    ...POSITIVES.map((field) => [field, [...NOT_NUMBER, '0', '-0', '0.0', '-1', '1e-400']] as const),
  ]
  it.each(fields.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s = %s',
    async (field, value) => {
      expectRefused(await build(bodyWith(GOOD_SWAP, field, value)), field)
    },
  )

  it.each(
    [...NOT_TEXT, ...json(BAD_TEXTS.engine)].flatMap(
      (value) =>
        [
          ['preferEngine', 'engine', value],
          ['engine', 'preferEngine', value],
        ] as const,
    ),
  )('%s without %s = %s', async (field, other, value) => {
    const { [other as Field]: _, ...rest } = GOOD_SWAP
    expectRefused(await build(bodyWith(rest, field, value)), field)
  })

  it.each(['from', 'to', 'amount', 'sender'])('a missing %s', async (field) => {
    expectRefused(await build(bodyWith(GOOD_SWAP, field, undefined)), field)
  })

  it('a sender that only a prototype has', async () => {
    const { sender, ...rest } = GOOD_SWAP
    const smuggled = [
      `"__proto__":{"sender":"${sender}"}`,
      `"constructor":{"prototype":{"sender":"${sender}"}}`,
    ]
    for (const field of smuggled) {
      expectRefused(await build(`${JSON.stringify(rest).slice(0, -1)},${field}}`), 'sender')
      expect((await build(`${JSON.stringify(GOOD_SWAP).slice(0, -1)},${field}}`)).status).toBe(200)
    }
  })

  it('two engines that differ', async () => {
    expectRefused(await build(bodyWith(GOOD_SWAP, 'engine', '"venue_b"')), 'engine')
  })

  it('a partner fee without a recipient, but no recipient without a fee', async () => {
    const { partnerFeeRecipient: _, ...rest } = GOOD_SWAP
    expectRefused(await build(JSON.stringify(rest)), 'partnerFeeRecipient')
    expect((await build(bodyWith(rest, 'partnerFeeBps', '0'))).status).toBe(200)
    expect((await build(bodyWith(GOOD_SWAP, 'partnerFeeBps', undefined))).status).toBe(200)
  })

  it.each(
    Object.entries(INTEGERS).flatMap(([field, { inside }]) => inside.map((value) => [field, value] as const)),
  )('nothing when %s = %s', async (field, value) => {
    expect((await build(bodyWith(GOOD_SWAP, field, value))).status).toBe(200)
  })

  it.each(['1', '1e-18', '1E3', '0.1', '1.0'])('nothing when amount = %s', async (amount) => {
    expect((await build(bodyWith(GOOD_SWAP, 'amount', amount))).status).toBe(200)
  })

  it('none of a field given twice: JSON keeps the last', async () => {
    expect((await build(`{"amount":0,${JSON.stringify(GOOD_SWAP).slice(1)}`)).status).toBe(200)
  })
})

describe('confirm refuses', () => {
  const confirm = (payload: string) => post(CONFIRM_PATH, payload)

  it('nothing when both fields are good, in either case', async () => {
    expect((await confirm(JSON.stringify(GOOD_REPORT))).status).toBe(200)
    const upper = { buildId: 'ABCDEF00-2222-4333-8444-555555555555', txHash: `0x${'AB'.repeat(32)}` }
    expect((await confirm(JSON.stringify(upper))).status).toBe(200)
  })

  const BAD_IDS = [
    '',
    'x',
    BUILD_ID.slice(0, -1),
    `${BUILD_ID}5`,
    BUILD_ID.replaceAll('-', ''),
    `{${BUILD_ID}}`,
    ` ${BUILD_ID}`,
    `${BUILD_ID}\n`,
    `urn:uuid:${BUILD_ID}`,
    `g${BUILD_ID.slice(1)}`,
    "' OR 1=1 --",
    LONG,
  ]
  const BAD_HASHES = [
    '',
    '0x',
    HASH.slice(0, -1),
    `${HASH}0`,
    HASH.slice(2),
    `0X${HASH.slice(2)}`,
    `${HASH}\n`,
    `0x${'zz'.repeat(32)}`,
    USER,
    LONG,
  ]
  it.each([
    ...[...NOT_TEXT, ...BAD_IDS.map((value) => JSON.stringify(value))].map(
      (value) => ['buildId', value] as const,
    ),
    ...[...NOT_TEXT, ...BAD_HASHES.map((value) => JSON.stringify(value))].map(
      (value) => ['txHash', value] as const,
    ),
  ])('%s = %s', async (field, value) => {
    expectRefused(await confirm(bodyWith(GOOD_REPORT, field, value)), field)
  })

  it.each(['buildId', 'txHash'])('a missing %s', async (field) => {
    expectRefused(await confirm(bodyWith(GOOD_REPORT, field, undefined)), field)
  })

  it('no unknown field', async () => {
    expect((await confirm(JSON.stringify({ ...GOOD_REPORT, chainId: 1 }))).status).toBe(200)
  })
})

describe.each([
  ['build', BUILD_PATH, JSON.stringify(GOOD_SWAP)],
  ['confirm', CONFIRM_PATH, JSON.stringify(GOOD_REPORT)],
])('%s refuses a body', (_, path, good) => {
  it.each([
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    `[${'{}'}]`,
    '',
    ' ',
    '{',
    '}',
    '{"from":',
    "{'from':'ETH'}",
    '{"from":"ETH",}',
    '{from:1}',
    'NaN',
    'undefined',
    '<xml/>',
    'from=ETH&to=USDG',
    '\u0000',
    '{}{}',
  ])('of %j', async (payload) => {
    expectRefused(await post(path, payload), 'body')
  })

  it('that is cut off', async () => {
    expectRefused(await post(path, good.slice(0, -1)), 'body')
  })

  it('that is absent', async () => {
    expectRefused(await post(path, undefined), 'body')
    expectRefused(await post(path, undefined, ''), 'body')
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'json',
    'nonsense;;',
  ])('of type %s', async (contentType) => {
    expectRefused(await post(path, good, contentType), 'body')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'never for being of type %s',
    async (contentType) => {
      expect((await post(path, good, contentType)).status).toBe(200)
    },
  )

  it('that is too large, and not one that just fits', async () => {
    expect((await post(path, good.padEnd(BODY_BYTES_MAX))).status).toBe(200)
    expectRefused(await post(path, good.padEnd(BODY_BYTES_MAX + 1)), 'body')
  })

  it('that nests deeply', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expectRefused(await post(path, deep), 'body')
    expect((await post(path, `{"x":${deep},${good.slice(1)}`)).status).toBe(200)
  })
})

it('refused input never reaches the domain', async () => {
  const before = service.calls.filter(({ name }) => name !== 'spendBudget').length
  await quote('from=ETH')
  await post(BUILD_PATH, '{}')
  await post(CONFIRM_PATH, '{}')
  expect(service.calls.filter(({ name }) => name !== 'spendBudget')).toHaveLength(before)
})
