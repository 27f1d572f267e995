import fc from 'fast-check'
import type { Json } from '../../src/runner/families/shrinkJson.ts'
import { edited, type Input, nested, repeated, textOf } from './input.ts'

/** The material for the inputs of one target. */
export interface Material {
  readonly bases: Readonly<Record<string, Json>>
  /** Values that this target is likely to treat specially. */
  readonly words: readonly Json[]
  /** True if the JSON text itself may be edited. */
  readonly editsText: boolean
}

const GONE = Symbol('gone')
type Part = Json | typeof GONE

/** Names that objects have by default, or that parsers treat specially. */
const NAMES = ['__proto__', 'constructor', 'toString', 'length', 'then', '', 'a.b', '/', '~0']

// biome-ignore format: values side by side
const ODD: readonly Json[] = [
  null, true, false, [], {}, [[]], [null], { a: 1 }, { toString: 1, valueOf: 1 }, 0, -0, 1, -1, 0.1, 36, 37, 50, 51, 5_000, 5_001, 1e-7, 1e21,
  1e308, 5e-324, 2 ** 31, 2 ** 53, 200, 404, 502, '', ' ', '0x', '0xzz', '-1', '1e400', '00', '٣', 'ETH', 'native', 'venue_a', 'market',
  `0x${'0'.repeat(40)}`, `0x${'F'.repeat(40)}`, `0x${'ab'.repeat(32)}`, '9'.repeat(78), '00000000-0000-4000-8000-000000000000', 'http://[::1',
  'javascript:0', '2026-02-30', '\u0000', '\ud800', '\u202e', '\u001b[2J', '%', '../..', '$' + '{a}', '\r\nX: y',
  ...[50, 500, 20_000].flatMap((depth) => [nested(depth, '['), nested(depth, '{')]), repeated(1_000, 'a'), repeated(5_000, '9'),
]

/** Pieces of JSON text that are difficult for a parser. */
// biome-ignore format: values side by side
const PIECES = [
  '', '{', '}', '[', ']', ',', ':', '"', '\\', '\\u', '\\ud800', '\n', '\u0000', '\ufeff', '0', '-', 'e9', '1e999', '.', 'null', 'NaN',
  '"__proto__":0,', '"schema":0,', '/**/', '\ud800',
]

const TEXT_EDIT = fc.record({
  text: fc.nat(1_000),
  cut: fc.constantFrom(0, 1, 2, 50, 100_000),
  put: fc.constantFrom(...PIECES),
})
const TEXT_EDITS = fc.oneof(
  { arbitrary: fc.constant([]), weight: 3 },
  fc.array(TEXT_EDIT, { minLength: 1, maxLength: 2 }),
)

/** Generates texts of values similar to the bases, with text edits if the target reads text. They shrink to a base. */
export function inputs({ bases, words, editsText }: Material): fc.Arbitrary<Input> {
  return fc.oneof(
    ...Object.entries(bases).map(([base, value]) =>
      fc
        .tuple(like(value, words), editsText ? TEXT_EDITS : fc.constant([]))
        .map(([made, edits]) => ({ base, text: edits.reduce(edited, textOf(made)) })),
    ),
  )
}

/** Generates values similar to this one, with about three parts replaced, duplicated or removed. */
function like(whole: Json, words: readonly Json[]): fc.Arbitrary<Json> {
  const parts = partsOf(whole)
  const anything = fc.oneof(
    fc.constantFrom(...ODD),
    fc.constantFrom(...(words.length > 0 ? words : ODD)),
    fc.constantFrom(...parts),
    fc.jsonValue() as fc.Arbitrary<Json>,
  )
  const seldom = <T>(usual: fc.Arbitrary<T>, ...others: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
    fc.oneof(
      { withCrossShrink: true },
      { arbitrary: usual, weight: parts.length },
      ...others.map((arbitrary) => ({ arbitrary, weight: 1 })),
    )
  const added = seldom<readonly [string, Part]>(
    fc.constant(['', GONE]),
    fc.tuple(fc.constantFrom(...NAMES, 'added'), anything),
  )
  const part = (value: Json): fc.Arbitrary<Part> =>
    seldom<Part>(same(value), anything, fc.constantFrom(...near(value)), fc.constant(GONE))
  const same = (value: Json): fc.Arbitrary<Json> => {
    if (typeof value !== 'object' || value === null) return fc.constant(value)
    if (Array.isArray(value))
      return fc.tuple(...value.map(part)).map((list) => list.filter((each) => each !== GONE))
    const members = Object.entries(value).map(([name, inner]) =>
      part(inner ?? null).map((each) => [name, each] as const),
    )
    return fc
      .tuple(...members, added)
      .map((entries) => Object.fromEntries(entries.filter(([, inner]) => inner !== GONE)) as Json)
  }
  return part(whole).map((made) => (made === GONE ? null : made))
}

/** Returns every part of a value, the value itself first. */
function partsOf(value: Json | undefined): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [value ?? null]
  return [value, ...Object.values(value).flatMap(partsOf)]
}

/** Returns values that are easily confused with this one. */
function near(value: Json): readonly Json[] {
  const wrapped: readonly Json[] = [[value], { value }, [value, value], JSON.stringify(value)]
  if (Array.isArray(value)) return [...wrapped, [...value, ...value], Array(20).fill(value)]
  if (typeof value === 'number')
    return [...wrapped, value + 1, value - 1, -value, value * 2, value / 3, value + 0.5, value * 1e30]
  if (typeof value !== 'string') return wrapped
  const [half, piece] = [value.length >> 1, value.length >> 3]
  const shorter = [value.slice(0, half), value.slice(0, -1), `${value.slice(0, piece)}${value.slice(half)}`]
  return [...wrapped, ...shorter, value + value, value.toUpperCase(), `${value}0`, repeated(300, value)]
}
