import fc from 'fast-check'
import type { Json } from '../../src/runner/families/shrinkJson.ts'
import { type Edit, type Input, membersOf, type Path, placesOf, read } from './input.ts'

/** Describes what inputs of one target are made from. */
export interface Material {
  readonly bases: Readonly<Record<string, Json>>
  /** Values that this target is likely to treat in a way of their own. */
  readonly words: readonly Json[]
  /** True if the JSON text itself may be edited. */
  readonly editsText: boolean
}

const EDITS_MAX = 8
const DEPTH_MAX = 8

/** Names that objects have by themselves, or that readers treat in a way of their own. */
const NAMES = ['__proto__', 'constructor', 'toString', 'length', 'then', '', 'a.b', '/', '~0']

// biome-ignore format: values side by side
const NUMBERS = [
  0, -0, 1, -1, 0.1, 1.5, 36, 37, 50, 51, 5_000, 5_001, 1e-7, 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53), 200, 202, 404, 429, 502,
]

// biome-ignore format: values side by side
const TEXTS = [
  '', ' ', '0', '0x', '0xzz', '-1', '1e3', '1e400', '00', '٣', 'null', 'ETH', 'USDG', 'native', 'venue_a', 'market', `0x${'0'.repeat(40)}`,
  `0x${'F'.repeat(40)}`, `0x${'ab'.repeat(32)}`, '0'.repeat(400), '9'.repeat(78), '00000000-0000-4000-8000-000000000000', 'http://[::1',
  'javascript:0', '2026-02-30', '\u0000', '\ud800', '\u202e', '\u001b[2J', '%00', '%', '../..', '$' + '{a}', '\r\nX: y', 'é'.repeat(25),
]

/** Pieces of JSON text that a reader may stumble over. */
// biome-ignore format: values side by side
const PIECES = [
  '', '{', '}', '[', ']', ',', ':', '"', '\\', '\\u', '\\ud800', '\n', '\t', '\u0000', '\ufeff', '0', '-', 'e9', '1e999', '.', 'null', 'true',
  'NaN', '"__proto__":0,', '"schema":0,', '/**/', '\ud800',
]

const ODD: readonly Json[] = [null, true, false, [], {}, [[]], [null], { a: 1 }, { toString: 1, valueOf: 1 }]
const VALUES: readonly Json[] = [...ODD, ...NUMBERS, ...TEXTS]

/** Generates inputs: a base with up to eight edits. They shrink to fewer and simpler ones. */
export function inputs(material: Material): fc.Arbitrary<Input> {
  return fc.oneof(
    ...Object.keys(material.bases).map((base) =>
      fc.record({
        base: fc.constant(base),
        edits: fc.array(edits(material, base), { minLength: 1, maxLength: EDITS_MAX }),
      }),
    ),
  )
}

function edits({ bases, words, editsText }: Material, base: string): fc.Arbitrary<Edit> {
  const value = bases[base] ?? null
  const place = places(value)
  const anything = fc.oneof(
    fc.constantFrom(...VALUES),
    fc.constantFrom(...(words.length > 0 ? words : VALUES)),
    fc.jsonValue() as fc.Arbitrary<Json>,
  )
  const name = fc.constantFrom(...NAMES)
  const changed = fc
    .tuple(place, changes)
    .map(([at, change]): Edit => ({ set: at, to: change(read(value, at)) }))
  const ofText = fc.record({
    text: fc.integer({ min: 0, max: 1_000 }),
    cut: fc.constantFrom(0, 1, 2, 50, 100_000),
    put: fc.constantFrom(...PIECES),
  })
  const member = fc.tuple(place, name, anything).map(([at, added, to]): Edit => ({ set: [...at, added], to }))
  const nest = fc.record({
    nest: place,
    depth: fc.constantFrom(1, 50, 500, 20_000),
    as: fc.constantFrom('list' as const, 'object' as const),
  })
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ set: place, to: anything }) },
    { weight: 3, arbitrary: changed },
    fc.record({ drop: place }),
    fc.record({ copy: place, to: place }),
    fc.record({ rename: place, as: name }),
    member,
    fc.record({ repeat: place, times: fc.constantFrom(2, 3, 20, 300) }),
    nest,
    { weight: editsText ? 2 : 0, arbitrary: ofText },
  )
}

/** Generates a place of a base. Long lists have many places: half of the time each depth is as likely as the others. */
function places(base: Json): fc.Arbitrary<Path> {
  const walk = fc.array(fc.nat(), { maxLength: DEPTH_MAX }).map((steps): Path => {
    const path: (string | number)[] = []
    let value: unknown = base
    for (const step of steps) {
      const members = membersOf(value)
      const member = members[step % members.length]
      if (member === undefined) break
      path.push(member)
      value = Reflect.get(value as object, member)
    }
    return path
  })
  return fc.oneof(fc.constantFrom(...placesOf(base)), walk)
}

/** Makes another value of what is at a place. */
type Change = (old: unknown) => Json

const onNumber =
  (change: (old: number) => Json): Change =>
  (old) =>
    typeof old === 'number' ? change(old) : asText(old)
const wraps: readonly Change[] = [
  (old) => [toJson(old)],
  (old) => ({ value: toJson(old) }),
  (old) => [toJson(old), toJson(old)],
  (old) => JSON.stringify(toJson(old)),
]
const arithmetic: readonly Change[] = [
  onNumber((old) => old + 1),
  onNumber((old) => old - 1),
  onNumber((old) => -old),
  onNumber((old) => old * 2),
  onNumber((old) => old / 3),
  onNumber((old) => old + 0.5),
  onNumber((old) => old * 1e30),
  onNumber(String),
]
/** Replaces a part of a text, by thousandths of its length. */
const textual = fc
  .tuple(fc.integer({ min: 0, max: 1_000 }), fc.nat(2), fc.oneof(fc.constantFrom(...TEXTS), fc.string()))
  .map(
    ([at, cut, put]): Change =>
      (old) => {
        const text = asText(old)
        const start = Math.floor((text.length * at) / 1_000)
        return `${text.slice(0, start)}${put}${text.slice(start + cut)}`
      },
  )
const shorter = fc.integer({ min: 0, max: 1_000 }).map(
  (at): Change =>
    (old) =>
      asText(old).slice(0, (asText(old).length * at) / 1_000),
)
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(
    ...wraps,
    ...arithmetic,
    (old: unknown) => asText(old).toUpperCase(),
    (old: unknown) => !old,
  ),
  textual,
  shorter,
)

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(toJson(value))
}

function toJson(value: unknown): Json {
  return (value ?? null) as Json
}
