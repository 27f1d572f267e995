import { afterAll, beforeAll, expect } from 'vitest'
import { type FakeApp, fakeApp, WITH_KEY } from '../../testing/fakeDomain.ts'

export const USER = '0x00000000000000000000000000000000000000Aa'
export const HASH = `0x${'ab'.repeat(32)}`
export const BUILD_ID = '11111111-2222-4333-8444-555555555555'

export const GOOD_SWAP = {
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
export const GOOD_REPORT = { buildId: BUILD_ID, txHash: HASH }
export type Field = keyof typeof GOOD_SWAP
export const BUILD_PATH = '/api/v1/swap/build'
export const CONFIRM_PATH = '/api/v1/swap/confirm'

export const LONG = 'x'.repeat(5_000)
/** Texts that are invalid in every field of the kind. */
export const BAD_TEXTS: Readonly<Record<string, readonly string[]>> = {
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
/** Values at the ends of the range of each integer field, and past them. */
export const INTEGERS = {
  fromDecimals: { inside: ['0', '36'], outside: ['37', '-1'] },
  toDecimals: { inside: ['0', '36'], outside: ['37', '-1'] },
  slippageBps: { inside: ['0', '5000'], outside: ['5001', '-1'] },
  partnerFeeBps: { inside: ['0', '50'], outside: ['51', '-1'] },
} as const
export const POSITIVES = ['amount', 'fromPriceUsd', 'toPriceUsd'] as const
export const ADDRESSES = ['fromAddress', 'toAddress', 'sender', 'partnerFeeRecipient'] as const
/** JSON values of the wrong type for fields that take text. */
export const NOT_TEXT = ['null', '1', 'true', '[]', '{}', '["ETH"]', '{"toString":"ETH"}']

interface Sent {
  readonly status: number
  readonly body: unknown
}

/** Returns `good` as JSON text with `json` as the raw text of one field, for values that `stringify` cannot write. */
export function bodyWith(good: object, field: string, json: string | undefined): string {
  const fields = Object.entries(good).filter(([name]) => name !== field)
  const texts = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  if (json !== undefined) texts.push(`${JSON.stringify(field)}:${json}`)
  return `{${texts.join(',')}}`
}

export function expectRefused(sent: Sent, field: string): void {
  expect(sent).toEqual({ status: 400, body: { error: expect.any(String) } })
  expect((sent.body as { error: string }).error).toMatch(new RegExp(`^${field}: .`))
}

/** Starts a service for the tests of a file, whose domain accepts every request that reaches it. */
export function useService() {
  const service = {} as FakeApp
  beforeAll(async () => {
    Object.assign(service, await fakeApp())
  })
  afterAll(() => service.app.close())

  async function quote(query: string): Promise<Sent> {
    const answer = await service.app.inject({ url: `/api/v1/quote?${query}`, headers: WITH_KEY })
    return { status: answer.statusCode, body: answer.json() }
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
  return { service, quote, post }
}
