import { type FoldedReading, type Range, readingsOf } from './decode.ts'

/** Finds the parts of a text that must not be shown; they may overlap. */
export type Finder = (text: string) => readonly Range[]

/** Shorter secrets, encoded by threes or by halves, would be found everywhere. */
const BLOCK_BYTES_MIN = 8
/** What is left of a secret once escapes are folded away, to be looked for by that alone. */
const FOLDED_MIN = 4
/** If a secret was cut off, this many characters, and more than half, are too many to be shown. */
const CUT_MIN = 8
/** Bytes that base64 writes together, and the bits of a byte and of a digit. */
const BASE64 = { group: 3, byteBits: 8, digitBits: 6 }

/**
 * Finds secrets in whatever encoding: as they are, in any case of their letters; escaped by JSON, JavaScript, HTML, XML,
 * URLs and shells, also in one another; in base64 and hexadecimal if they have eight bytes, also within a longer text.
 *
 * @param cut Whether a text may have been cut off: then a secret is also found that ends with the text or at an ellipsis,
 *   if more than half of it is there.
 */
export function secretFinder(secrets: readonly string[], cut: boolean): Finder {
  const known = [...new Set(secrets)].filter((secret) => secret !== '')
  const needles = known.flatMap(needlesOf)
  const exact = known.flatMap(exactOf)
  return (text) => {
    const inText = exact.flatMap((needle) => [...occurrences(text, needle)])
    if (needles.length === 0) return inText
    const inReadings = readingsOf(text).flatMap((reading) => {
      const cuts = cut ? cutsOf(reading.text) : []
      return needles.flatMap((needle) => [
        ...[...occurrences(reading.text, needle.text)].map(([from, to]) =>
          reading.placeOf(from, to - 1, needle),
        ),
        ...cuts.flatMap((end) => {
          const length = cutLengthOf(reading.text, end, needle.text)
          return length === 0 ? [] : [reading.placeOf(end - length, end - 1, { ...needle, ends: true })]
        }),
      ])
    })
    return [...inText, ...inReadings]
  }
}

/**
 * Finds the matches of a regular expression with the flag `g`.
 *
 * @param mark what every text with a match has, without the flag `g`. To look back at each character takes more than ten times as long
 *   as to look for that.
 */
export function patternFinder(pattern: RegExp, mark: RegExp): Finder {
  return (text) =>
    mark.test(text)
      ? [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])
      : []
}

/** What is looked for in readings: a secret as it reads itself, and what base64 and hexadecimal write of it. */
type Needle = Pick<FoldedReading, 'text' | 'begins' | 'ends'>

function needlesOf(secret: string): readonly Needle[] {
  const blocks = blocksOf(Buffer.from(secret, 'utf8')).flatMap((block) => readingsOf(block).slice(0, 1))
  return [...readingsOf(secret), ...blocks].filter(({ text }) => text.length >= FOLDED_MIN)
}

/** What of a secret is almost nothing but escapes is looked for as it is, and as a string of JSON. */
function exactOf(secret: string): readonly string[] {
  const tooShort = readingsOf(secret).some(({ text }) => text.length < FOLDED_MIN)
  return tooShort ? [secret, JSON.stringify(secret).slice(1, -1)] : []
}

function blocksOf(bytes: Buffer): readonly string[] {
  if (bytes.length < BLOCK_BYTES_MIN) return []
  const { group, byteBits, digitBits } = BASE64
  const digits = Array.from({ length: group }, (_, before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(
        Math.ceil((before * byteBits) / digitBits),
        Math.floor(((before + bytes.length) * byteBits) / digitBits),
      ),
  )
  const inUrls = digits.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...digits, ...inUrls, bytes.toString('hex')]
}

function* occurrences(text: string, needle: string): Generator<Range> {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    yield [at, at + needle.length]
  }
}

/** Where a text may have been cut off. */
function cutsOf(text: string): readonly number[] {
  return [...[...occurrences(text, '…')].map(([from]) => from), text.length]
}

/** How much of the beginning of a needle stands before a place; 0: not more than half. */
function cutLengthOf(text: string, end: number, needle: string): number {
  const least = Math.max(CUT_MIN, Math.ceil(needle.length / 2))
  for (let length = needle.length - 1; length >= least; length -= 1) {
    if (end >= length && text.startsWith(needle.slice(0, length), end - length)) return length
  }
  return 0
}
