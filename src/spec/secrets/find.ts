/** A range of UTF-16 units in a text, `to` excluded. */
export type Range = readonly [from: number, to: number]

/** Finds the parts of a text that must not be shown; they may overlap. */
export type Finder = (text: string) => readonly Range[]

/** Number of leading characters from which a secret that was cut off must be hidden, if they are at least half of it. */
const CUT_MIN = 8

/**
 * Finds secrets in any letter case, verbatim or encoded for a URL, a form or a JSON string.
 *
 * @param cut true if a text may have been cut off: then at least half of a secret is also found at its end or before an
 * ellipsis.
 */
export function secretFinder(secrets: readonly string[], cut: boolean): Finder {
  const needles = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))]
  return (text) => {
    const folded = fold(text)
    const cuts = cut ? cutsOf(folded) : []
    return needles.flatMap((needle) => [
      ...occurrences(folded, needle),
      ...cuts.flatMap((end): readonly Range[] => {
        const length = cutLengthOf(folded, end, needle)
        return length === 0 ? [] : [[end - length, end]]
      }),
    ])
  }
}

/**
 * Finds the matches of a regular expression with the flag `g`.
 *
 * @param mark matches every text that has a match, without the flag `g`; it is ten times as fast as looking back everywhere.
 */
export function patternFinder(pattern: RegExp, mark: RegExp): Finder {
  return (text) =>
    mark.test(text)
      ? [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])
      : []
}

/** Returns the forms of a secret: verbatim or in a URL or a form, and each of these within JSON, or within JSON in JSON. */
function formsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret)
  const forms = [
    secret,
    url,
    url.replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ]
  const inJson = forms.map(escaped)
  return [...forms, ...inJson, ...inJson.map(escaped)].map(fold)
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

/** Converts ASCII letters to lower case, which keeps every index. */
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function* occurrences(text: string, needle: string): Generator<Range> {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    yield [at, at + needle.length]
  }
}

/** Returns the positions at which a text may have been cut off. */
function cutsOf(text: string): readonly number[] {
  return [...[...occurrences(text, '…')].map(([from]) => from), text.length]
}

/** Returns the length of the part of a needle that ends at a position; 0: less than half, or too short. */
function cutLengthOf(text: string, end: number, needle: string): number {
  const least = Math.max(CUT_MIN, Math.ceil(needle.length / 2))
  for (let length = needle.length - 1; length >= least; length -= 1) {
    if (end >= length && text.startsWith(needle.slice(0, length), end - length)) return length
  }
  return 0
}
