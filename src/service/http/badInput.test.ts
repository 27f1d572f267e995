import { describe, expect, it } from 'vitest'
import { fakeApps, WITH_KEY } from '../testing/fakeDomain.ts'
import { BODY_BYTES_MAX } from './server.ts'

const USER = '0x00000000000000000000000000000000000000Aa'
const HASH = `0x${'ab'.repeat(32)}`
const SWAP = {
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
const REPORT = { buildId: '11111111-2222-4333-8444-555555555555', txHash: HASH }
const FIELDS = Object.entries(SWAP)
const GOOD = JSON.stringify(SWAP)

/** A service whose domain accepts every request that reaches it. */
const { app, calls } = (await fakeApps())()

interface Sent {
  readonly status: number
  readonly body: { readonly error?: string }
}
async function quote(query: string): Promise<Sent> {
  const answer = await app.inject({ url: `/api/v1/quote?${query}`, headers: WITH_KEY })
  return { status: answer.statusCode, body: answer.json() }
}
async function post(path: string, payload?: string, contentType = 'application/json'): Promise<Sent> {
  const headers = { ...WITH_KEY, ...(contentType !== '' && { 'content-type': contentType }) }
  const answer = await app.inject({
    ...{ method: 'POST', url: `/api/v1/swap/${path}`, headers },
    ...(payload !== undefined && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const build = (payload?: string, contentType?: string) => post('build', payload, contentType)
const confirm = (report: object) => post('confirm', JSON.stringify(report))
const queryOf = (changes: object = {}) =>
  new URLSearchParams(
    Object.entries({ ...SWAP, ...changes }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
const bodyOf = (changes: object) => JSON.stringify({ ...SWAP, ...changes })

function expectRefused(sent: Sent, field: string): void {
  expect(sent).toEqual({ status: 400, body: { error: expect.stringMatching(new RegExp(`^${field}: .`)) } })
}

it('good requests reach the domain, and refused ones do not', async () => {
  expect(await quote(queryOf())).toMatchObject({ status: 200 })
  expect(await build(GOOD)).toMatchObject({ status: 200 })
  expect(await confirm(REPORT)).toMatchObject({ status: 200 })
  await Promise.all([quote('from=ETH'), build('{}'), confirm({})])
  const reached = calls.map(({ name }) => name).filter((name) => name !== 'spendBudget')
  expect(reached).toEqual(['quote', 'build', 'confirm'])
})

describe('a body is refused', () => {
  it.each(['true', '1', '"text"', '[{}]', '', ' ', '}', '{from:1}', 'undefined', '<xml/>', 'a=b', '\u0000'])(
    'that is %j',
    async (payload) => expectRefused(await build(payload), 'body'),
  )

  it('that is absent', async () => {
    expectRefused(await build(), 'body')
    expectRefused(await build(undefined, ''), 'body')
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
    expectRefused(await build(GOOD, contentType), 'body')
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'never for being of type %s',
    async (contentType) => {
      expect((await build(GOOD, contentType)).status).toBe(200)
    },
  )

  it('that is too large, and not one that just fits', async () => {
    expect((await build(GOOD.padEnd(BODY_BYTES_MAX))).status).toBe(200)
    expectRefused(await build(GOOD.padEnd(BODY_BYTES_MAX + 1)), 'body')
  })

  it('that nests deeply, and not one in which an unknown field does', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expectRefused(await build(deep), 'body')
    expect((await build(`{"x":${deep},${GOOD.slice(1)}`)).status).toBe(200)
  })
})

describe('the field with the mistake is named', () => {
  it.each(FIELDS)('%s, in a quote and a build', async (field) => {
    expectRefused(await quote(queryOf({ [field]: '' })), field)
    expectRefused(await build(bodyOf({ [field]: null })), field)
  })

  it.each(FIELDS)('%s given twice in a query, even alike', async (field, value) => {
    expectRefused(await quote(`${queryOf()}&${new URLSearchParams({ [field]: String(value) })}`), field)
  })

  it.each(['from', 'to', 'amount'])('%s when it is missing', async (field) => {
    expectRefused(await quote(queryOf({ [field]: undefined })), field)
    expectRefused(await build(bodyOf({ [field]: undefined })), field)
  })

  it.each(['buildId', 'txHash'])('%s, in a report', async (field) => {
    for (const value of [undefined, null, ''])
      expectRefused(await confirm({ ...REPORT, [field]: value }), field)
  })

  it('each once, when several are wrong', async () => {
    const { status, body } = await quote('from=&amount=0')
    expect(status).toBe(400)
    expect(body.error?.match(/\b(?:from|to|amount): /g)).toEqual(['from: ', 'to: ', 'amount: '])
  })

  it('also in a query without parameters, or with broken percent signs', async () => {
    expectRefused(await quote(''), 'from')
    expectRefused(await quote('from=%E0%A4%A&to=USDG&amount=1'), 'from')
  })
})

it.each(['from[]', 'from.x', 'from[0]', '__proto__[from]', '__proto__.from'])(
  'a parameter %s is not from',
  async (name) => {
    const query = new URLSearchParams({ [name]: 'ETH' })
    expectRefused(await quote(`${queryOf({ from: undefined })}&${query}`), 'from')
    expect((await quote(`${queryOf()}&${query}`)).status).toBe(200)
  },
)

it.each([`"__proto__":{"sender":"${USER}"}`, `"constructor":{"prototype":{"sender":"${USER}"}}`])(
  'a sender that only a prototype has is none: %s',
  async (smuggled) => {
    const { sender: _, ...rest } = SWAP
    expectRefused(await build(`${JSON.stringify(rest).slice(0, -1)},${smuggled}}`), 'sender')
    expect((await build(`${GOOD.slice(0, -1)},${smuggled}}`)).status).toBe(200)
  },
)
