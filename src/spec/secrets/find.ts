/** A part of a text, from its first UTF-16 unit to before its end. */
export type Range = readonly [from: number, to: number]

/** Finds the parts of a text that must not be shown; they may overlap. */
export type Finder = (text: string) => readonly Range[]

/** If a secret was cut off, this many characters, and more than half, are too many to be shown. */
const CUT_MIN = 8

/**
 * Finds secrets as they are, in any case of their letters, and as a URL, a form and a string of JSON write them.
 *
 * @param cut whether a text may have been cut off: then a secret is also found that ends with the text or at an ellipsis,
 *   if more than half of it is there.
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
 * @param mark what every text with a match has, without the flag `g`. To look back at each character takes more than ten times as long
 *   as to look for that.
 */
export function patternFinder(pattern: RegExp, mark: RegExp): Finder {
  return (text) =>
    mark.test(text)
      ? [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])
      : []
}

/** Returns a secret as it may be written: as it is or in a URL or a form, on its own or within JSON, or within JSON in JSON. */
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

/** Writes ASCII letters in one case, unit by unit, so that every place stays where it is. */
function fold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function* occurrences(text: string, needle: string): Generator<Range> {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    yield [at, at + needle.length]
  }
}

/** Returns where a text may have been cut off. */
function cutsOf(text: string): readonly number[] {
  return [...[...occurrences(text, '…')].map(([from]) => from), text.length]
}

/** Returns how much of the beginning of a needle stands before a place; 0: not more than half. */
function cutLengthOf(text: string, end: number, needle: string): number {
  const least = Math.max(CUT_MIN, Math.ceil(needle.length / 2))
  for (let length = needle.length - 1; length >= least; length -= 1) {
    if (end >= length && text.startsWith(needle.slice(0, length), end - length)) return length
  }
  return 0
}
