/**
 * A text read through its encodings, and where each of its characters came from. JSON, JavaScript, HTML, XML, URLs and
 * words of a shell write a text character by character, so what they wrote of a secret reads like the secret.
 */
interface Reading {
  readonly text: string
  /** Where each UTF-16 unit begins and ends in what was read; null: where it stands. */
  readonly places: Places | null
}

/** A reading without what encodings add, so that equal texts read equally. */
export interface FoldedReading {
  readonly text: string
  /** Whether something was left out at its beginning, and at its end. */
  readonly begins: boolean
  readonly ends: boolean
  /**
   * Where units of it stand in the text that was read.
   *
   * @param around Whether to add what was left out next to them.
   */
  placeOf(first: number, last: number, around: Pick<FoldedReading, 'begins' | 'ends'>): Range
}

/** A part of a text, from its first UTF-16 unit to before its end. */
export type Range = readonly [from: number, to: number]

interface Places {
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** More layers than anything writes: JSON in JSON in a URL has three. */
const LAYERS_MAX = 8

const ESCAPE =
  /\\u\{0{0,6}([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|&#0{0,6}(\d{1,7});|&#x0{0,6}([\da-f]{1,6});|&(quot|apos|lt|gt|amp);|%([0-7][\da-f])|((?:%[89a-f][\da-f]){1,4})/gi
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }
const CODE_POINT_MAX = 0x10ffff

/** The text as it is, then with one layer of escapes decoded, then two, until there is none left. */
export function readingsOf(text: string): readonly FoldedReading[] {
  const readings: Reading[] = [{ text, places: null }]
  while (readings.length <= LAYERS_MAX) {
    const next = decodeLayer(readings.at(-1) as Reading)
    if (next === null) break
    readings.push(next)
  }
  return readings.map(fold)
}

function placeOf({ places }: Reading, first: number, last: number): Range {
  return [places?.from[first] ?? first, places?.to[last] ?? last + 1]
}

/** Decodes every escape once; null: there is none. */
function decodeLayer(reading: Reading): Reading | null {
  const { text } = reading
  const parts: string[] = []
  const from: number[] = []
  const to: number[] = []
  let at = 0
  const keep = (end: number) => {
    parts.push(text.slice(at, end))
    for (let index = at; index < end; index += 1) {
      const [start, stop] = placeOf(reading, index, index)
      from.push(start)
      to.push(stop)
    }
  }
  for (const match of text.matchAll(ESCAPE)) {
    const [written] = match
    keep(match.index)
    at = match.index + written.length
    const character = decoded(match)
    const [start, stop] = placeOf(reading, match.index, at - 1)
    parts.push(character)
    for (let unit = 0; unit < character.length; unit += 1) {
      from.push(start)
      to.push(stop)
    }
  }
  if (at === 0) return null
  keep(text.length)
  return { text: parts.join(''), places: { from, to } }
}

function decoded([, long, unit, byte, decimal, hex, entity, ascii, bytes]: RegExpMatchArray): string {
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? ''
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16))
  const code =
    decimal === undefined ? Number.parseInt(long ?? byte ?? hex ?? ascii ?? '', 16) : Number(decimal)
  return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : '\ufffd'
}

/**
 * Without what encodings add and nobody reads: letters in one case, and neither the backslashes that escape other
 * characters nor the apostrophes with which a shell ends and begins a word. A form writes a space as `+`.
 */
function fold(reading: Reading): FoldedReading {
  const all = reading.text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('+', ' ')
  if (!LEFT_OUT.test(all)) {
    return { text: all, begins: false, ends: false, placeOf: (first, last) => placeOf(reading, first, last) }
  }
  const kept: number[] = []
  for (let index = 0; index < all.length; index += 1) if (!LEFT_OUT.test(all[index] ?? '')) kept.push(index)
  /** The first of the characters left out before a kept one: all of them, or those that escape it. */
  const firstBefore = (index: number, isAll: boolean) => {
    const before = kept[index - 1] ?? -1
    let first = kept[index] ?? all.length
    while (first - 1 > before && (isAll || all[first - 1] === '\\')) first -= 1
    return first
  }
  return {
    text: all.replaceAll(/[\\']/g, ''),
    begins: kept[0] !== 0,
    ends: kept.at(-1) !== all.length - 1,
    placeOf: (first, last, { begins, ends }) => {
      const end = ends ? (kept[last + 1] ?? all.length) - 1 : (kept[last] ?? all.length - 1)
      return placeOf(reading, firstBefore(first, begins), end)
    },
  }
}

const LEFT_OUT = /[\\']/
