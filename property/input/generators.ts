import fc from 'fast-check'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type RawRequest, SWAP_FIELDS } from '../../src/oracles/index.ts'

type Fields = Readonly<Record<string, unknown>>

const ADDRESS = ACCOUNTS.bob.address
const BUILD_ID = '01234567-89ab-4cde-8f01-23456789abcd'
const HASH = `0x${'ab'.repeat(32)}`

/** Valid requests, which the cases corrupt. */
const SOUND_SWAPS: readonly Fields[] = [
  { from: 'ETH', to: 'USDG', amount: 1 },
  {
    from: 'USDG',
    to: 'DUSD',
    amount: 12.5,
    slippageBps: 50,
    partnerFeeBps: 10,
    partnerFeeRecipient: ADDRESS,
    fromPriceUsd: 1.001,
    toPriceUsd: 0.999,
  },
  { from: 'Other.1', fromAddress: ADDRESS, fromDecimals: 18, to: 'ETH', amount: 3, preferEngine: 'venue_a' },
  { from: 'ETH', to: 'X_y-Z', toAddress: ADDRESS, toDecimals: 0, amount: 1e-3, engine: 'venue_f' },
  {
    from: 'NATIVE',
    fromAddress: 'native',
    fromDecimals: 18,
    to: 'USDG',
    amount: 2,
    fromPriceUsd: 2500,
    toPriceUsd: 1,
  },
]
const SOUND_REPORT: Fields = { buildId: BUILD_ID, txHash: HASH }

const FIELDS = [...SWAP_FIELDS]

/** Values that programs send by mistake, or that parsers accept by mistake. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  '0',
  '1',
  ' 1',
  '1 ',
  '+1',
  '1,5',
  '0x10',
  '1e3',
  '1_000',
  'NaN',
  'Infinity',
  '-0',
  'null',
  'undefined',
  0,
  -0,
  -1,
  0.5,
  1.0000000001,
  50.5,
  51,
  5000,
  5001,
  36,
  37,
  1e21,
  1e77,
  1e78,
  1e300,
  5e-324,
  2 ** 53,
  2 ** 53 + 2,
  [],
  [1],
  ['ETH'],
  {},
  { valueOf: 1 },
  'ETH',
  'USDG',
  'eth',
  'VOID',
  'A'.repeat(24),
  'A'.repeat(25),
  'Ä',
  'a b',
  'a\u0000b',
  '😀',
  '__proto__',
  'constructor',
  'toString',
  'market',
  'venue_a',
  'venue_g',
  'VENUE_A',
  'native',
  'NATIVE',
  ADDRESS,
  ADDRESS.toLowerCase(),
  ADDRESS.toUpperCase(),
  `${ADDRESS}0`,
  ADDRESS.slice(2),
  '0x0000000000000000000000000000000000000000',
  '0x',
  HASH,
  HASH.toUpperCase(),
  BUILD_ID,
  BUILD_ID.toUpperCase(),
  BUILD_ID.replaceAll('-', ''),
]

/** Any characters except lone surrogates. fast-check's own arbitrary for this takes a second to create in every process. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10f7ff }), { maxLength: 30 })
  .map((points) => String.fromCodePoint(...points.map((point) => (point < 0xd800 ? point : point + 0x800))))

const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ODD_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
)

/** Values just outside the range of a field. */
const NEAR_MISSES = new Map<string, readonly unknown[]>([
  ['amount', [0, -1]],
  ['slippageBps', [-1, 0.5, 5_001]],
  ['partnerFeeBps', [-1, 0.5, 51]],
  ...['fromDecimals', 'toDecimals'].map((name) => [name, [-1, 0.5, 37]] as const),
  ...['fromAddress', 'toAddress', 'sender', 'partnerFeeRecipient'].map(
    (name) => [name, [ADDRESS.slice(0, -1), `${ADDRESS}0`]] as const,
  ),
])

/** Returns a value for a field; null: the field is omitted. */
function valuesFor(name: string): fc.Arbitrary<{ readonly value: unknown } | null> {
  const value = (values: fc.Arbitrary<unknown>) => values.map((each) => ({ value: each }))
  return fc.oneof(
    { weight: 4, arbitrary: value(oddValues) },
    { weight: 4, arbitrary: value(fc.constantFrom(...(NEAR_MISSES.get(name) ?? ODD_VALUES))) },
    fc.constant(null),
  )
}

/** Returns a valid request with up to three defects, most often one; without a defect it must be accepted. */
function corrupted(sound: fc.Arbitrary<Fields>, names: readonly string[]): fc.Arbitrary<Fields> {
  const change = fc
    .oneof(
      { weight: 9, arbitrary: fc.constantFrom(...names) },
      fc.constantFrom('__proto__', 'constructor', 'x', ''),
    )
    .chain((name) => fc.tuple(fc.constant(name), valuesFor(name)))
  const changes = fc.oneof(
    { weight: 2, arbitrary: fc.tuple(change) },
    { weight: 1, arbitrary: fc.array(change, { maxLength: 3 }) },
  )
  return fc.tuple(sound, changes).map(([fields, changed]) => {
    const made: Record<string, unknown> = { ...fields }
    for (const [name, to] of changed) {
      if (to === null) delete made[name]
      else
        Object.defineProperty(made, name, {
          value: to.value,
          enumerable: true,
          writable: true,
          configurable: true,
        })
    }
    return made
  })
}

const swaps = fc.constantFrom(...SOUND_SWAPS)
const quoteQueries: fc.Arbitrary<RawRequest> = fc
  .tuple(corrupted(swaps, FIELDS), fc.option(fc.constantFrom(...FIELDS), { nil: null, freq: 8 }))
  .map(([fields, doubled]) => {
    const query = Object.entries(fields).map(([name, value]): [string, string] => [name, textOf(value)])
    const again = query.find(([name]) => name === doubled)
    return { endpoint: 'quote', query: again === undefined ? query : [...query, again] }
  })
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)

const rubbish = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    '{"from":',
    '{"a":1}{',
    '\u0000',
    'from=ETH&to=USDG',
    '{"amount":1e400}',
  ),
  fc.json({ maxDepth: 3 }),
  fc.string({ maxLength: 40 }),
)

const builds: fc.Arbitrary<RawRequest> = fc
  .oneof(
    {
      weight: 8,
      arbitrary: corrupted(
        swaps.map((fields) => ({ ...fields, sender: ADDRESS })),
        FIELDS,
      ).map((fields) => JSON.stringify(fields)),
    },
    { weight: 1, arbitrary: rubbish },
  )
  .map((body) => ({ endpoint: 'build', body }))
const reports: fc.Arbitrary<RawRequest> = fc
  .oneof(
    {
      weight: 6,
      arbitrary: corrupted(fc.constant(SOUND_REPORT), ['buildId', 'txHash']).map((fields) =>
        JSON.stringify(fields),
      ),
    },
    { weight: 1, arbitrary: rubbish },
  )
  .map((body) => ({ endpoint: 'confirm', body }))

/** Requests with every kind of defect, and occasionally a valid one. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc.oneof(
  { weight: 4, arbitrary: quoteQueries },
  { weight: 4, arbitrary: builds },
  { weight: 2, arbitrary: reports },
)
