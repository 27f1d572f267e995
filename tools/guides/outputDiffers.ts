const ANYTHING = '…'

/**
 * Compares the output that a guide shows with the actual one. `…` within a line matches any text, and on its own line any
 * number of lines. Ignores blank lines and trailing spaces.
 *
 * @returns the first difference, or null.
 */
export function outputDiffers(shown: readonly string[], printed: readonly string[]): string | null {
  const expected = linesOf(shown)
  const actual = linesOf(printed)
  let at = 0
  for (const [index, line] of expected.entries()) {
    if (line.trim() === ANYTHING) continue
    const skips = expected[index - 1]?.trim() === ANYTHING
    const pattern = patternOf(line)
    const next = skips
      ? actual.findIndex((each, place) => place >= at && pattern.test(each))
      : pattern.test(actual[at] ?? '')
        ? at
        : -1
    if (next < 0) return `expected: ${line}\nactual: ${actual[at] ?? 'nothing'}`
    at = next + 1
  }
  const open = expected.at(-1)?.trim() === ANYTHING
  const surplus = actual[at]
  return open || surplus === undefined ? null : `not expected: ${surplus}`
}

function linesOf(lines: readonly string[]): readonly string[] {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

function patternOf(line: string): RegExp {
  return new RegExp(`^${patternSource(line.trimEnd())}$`)
}

/** Returns the source of a regular expression for a text in which `…` matches any text. */
export function patternSource(text: string): string {
  return text
    .split(ANYTHING)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
}
