import { describe, expect, it } from 'vitest'
import { BODY_BYTES_MAX } from './server.ts'
import {
  BUILD_PATH,
  CONFIRM_PATH,
  expectRefused,
  GOOD_REPORT,
  GOOD_SWAP,
  useService,
} from './testing/badInput.ts'

const { service, quote, post } = useService()

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
