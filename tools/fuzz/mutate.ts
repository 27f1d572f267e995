import type { Json } from '../../src/runner/shrinkJson.ts'
import type { Stream } from '../../src/simulation/seed.ts'
import { type Edit, type Input, type Path, placesOf, read } from './input.ts'

/** What inputs of one target are made from. */
export interface Material {
  readonly bases: Readonly<Record<string, Json>>
  /** Values that this target is likely to treat in a way of their own. */
  readonly words: readonly Json[]
  /** Whether the JSON text itself may be edited. */
  readonly editsText: boolean
}

const EDITS_MAX = 8

/** Names that objects have by themselves, or that readers treat in a way of their own. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  'hasOwnProperty',
  'then',
  '',
  'a.b',
  '/',
  '~0',
]

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  36,
  37,
  50,
  51,
  5_000,
  5_001,
  1e-7,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  200,
  202,
  404,
  429,
  502,
]

const TEXTS = [
  '',
  ' ',
  '0',
  '0x',
  '0xzz',
  '-1',
  '1e3',
  '1e400',
  '00',
  '٣',
  'null',
  'ETH',
  'USDG',
  'native',
  'venue_a',
  'market',
  `0x${'0'.repeat(40)}`,
  `0x${'F'.repeat(40)}`,
  `0x${'ab'.repeat(32)}`,
  '0'.repeat(400),
  '9'.repeat(78),
  '00000000-0000-4000-8000-000000000000',
  'http://[::1',
  'javascript:0',
  '2026-02-30',
  '\u0000',
  '\ud800',
  '\u202e',
  '\u001b[2J',
  '%00',
  '%',
  '../..',
  '$' + '{a}',
  '\r\nX: y',
  'é'.repeat(25),
]

const VALUES: readonly Json[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { toString: 1, valueOf: 1 },
  ...NUMBERS,
  ...TEXTS,
]

/** Pieces of JSON text that a reader may stumble over. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  '\\ud800',
  '\n',
  '\t',
  '\u0000',
  '\ufeff',
  '0',
  '-',
  'e9',
  '1e999',
  '.',
  'null',
  'true',
  'NaN',
  '"__proto__":0,',
  '"schema":0,',
  '/**/',
  '\ud800',
]

/** A new input: one of the corpus with some edits more, fewer or mixed with those of another. */
export function mutate(material: Material, corpus: readonly Input[], stream: Stream): Input {
  const parent = stream.pick(corpus)
  let edits = [...parent.edits]
  if (edits.length > 0 && stream.chanceBps(1_500)) edits.splice(stream.int(0, edits.length - 1), 1)
  if (stream.chanceBps(1_500)) {
    const other = stream.pick(corpus)
    if (other.base === parent.base) edits.push(...other.edits)
  }
  for (let more = stream.int(1, 3); more > 0; more -= 1) edits.push(newEdit(material, parent.base, stream))
  while (edits.length > EDITS_MAX) edits = edits.toSpliced(stream.int(0, edits.length - 1), 1)
  return { base: parent.base, edits }
}

const places = new WeakMap<object, readonly Path[]>()

/** A place of a base. Long lists have many places: half of the time each depth is as likely as the others. */
function placeIn(base: Json, stream: Stream): Path {
  if (typeof base !== 'object' || base === null) return []
  const known = places.get(base) ?? placesOf(base)
  places.set(base, known)
  if (stream.chanceBps(5_000)) return stream.pick(known)
  let value: unknown = base
  const path: (string | number)[] = []
  while (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    if (path.length > 0 && stream.chanceBps(2_500)) break
    const member = stream.pick<string | number>(Array.isArray(value) ? [...value.keys()] : Object.keys(value))
    path.push(member)
    value = Reflect.get(value, member)
  }
  return path
}

function newEdit({ bases, words, editsText }: Material, base: string, stream: Stream): Edit {
  const value = bases[base] ?? null
  const place = placeIn(value, stream)
  const kind = stream.int(0, editsText ? 11 : 9)
  if (kind <= 2)
    return { set: place, to: stream.pick(stream.chanceBps(5_000) && words.length > 0 ? words : VALUES) }
  if (kind <= 4) return { set: place, to: changed(read(value, place), stream) }
  switch (kind) {
    case 5:
      return { drop: place }
    case 6:
      return { copy: placeIn(value, stream), to: place }
    case 7:
      return stream.chanceBps(5_000)
        ? { rename: place, as: stream.pick(NAMES) }
        : { set: [...place, stream.pick(NAMES)], to: stream.pick(VALUES) }
    case 8:
      return { repeat: place, times: stream.pick([2, 3, 20, 300]) }
    case 9:
      return stream.chanceBps(9_000)
        ? { set: place, to: wrapped(read(value, place), stream) }
        : { nest: place, depth: stream.pick([50, 500, 20_000]), as: stream.pick(['list', 'object']) }
    default:
      return {
        text: stream.int(0, 1_000),
        cut: stream.pick([0, 0, 1, 2, 50, 100_000]),
        put: stream.pick(['', ...PIECES]),
      }
  }
}

/** A value of the same kind, a little different. */
function changed(old: unknown, stream: Stream): Json {
  if (typeof old === 'number') {
    return stream.pick([
      old + 1,
      old - 1,
      -old,
      old * 2,
      old / 3,
      old + 0.5,
      String(old),
      old * 1e30,
      stream.pick(NUMBERS),
    ])
  }
  if (typeof old === 'string') return changedText(old, stream)
  if (typeof old === 'boolean') return !old
  return stream.pick(VALUES)
}

function changedText(old: string, stream: Stream): string {
  const place = stream.int(0, old.length)
  switch (stream.int(0, 6)) {
    case 0:
      return old.slice(0, place)
    case 1:
      return `${old.slice(0, place)}${stream.pick(TEXTS)}${old.slice(place)}`
    case 2:
      return old.toUpperCase()
    case 3:
      return `${old.slice(0, place)}${String.fromCharCode(stream.int(0, 255))}${old.slice(place + 1)}`
    case 4:
      return `${old}${old}`
    case 5:
      return `${old.slice(0, place)}${old.slice(place + 1)}`
    default:
      return `${old.slice(0, place)}${stream.int(0, 9)}${old.slice(place + 1)}`
  }
}

function wrapped(old: unknown, stream: Stream): Json {
  const value = (old ?? null) as Json
  return stream.pick<Json>([[value], { value }, [value, value], JSON.stringify(value) ?? 'null'])
}
