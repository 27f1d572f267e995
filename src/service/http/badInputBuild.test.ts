import { describe, expect, it } from 'vitest'
import {
  ADDRESSES,
  BAD_TEXTS,
  BUILD_PATH,
  bodyWith,
  expectRefused,
  type Field,
  GOOD_SWAP,
  INTEGERS,
  NOT_TEXT,
  POSITIVES,
  useService,
} from './testing/badInput.ts'

const { post } = useService()

/** JSON values of the wrong type for fields that take numbers. */
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
