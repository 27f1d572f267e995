const ANYTHING = '…'

/**
 * Compares what a guide shows with what was printed. `…` within a line stands for any text, and a line of its own for any
 * number of lines. Blank lines and blanks at the end of a line do not count.
 *
 * @returns the first line that is not there, or was not shown; null: they agree.
 */
export function outputDiffers(shown: readonly string[], printed: readonly string[]): string | null {
  const wanted = linesOf(shown)
  const seen = linesOf(printed)
  let at = 0
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === ANYTHING) continue
    const skips = wanted[index - 1]?.trim() === ANYTHING
    const pattern = patternOf(line)
    const next = skips
      ? seen.findIndex((each, place) => place >= at && pattern.test(each))
      : pattern.test(seen[at] ?? '')
        ? at
        : -1
    if (next < 0) return `shown, and not printed: ${line}\nprinted there: ${seen[at] ?? 'nothing'}`
    at = next + 1
  }
  const open = wanted.at(-1)?.trim() === ANYTHING
  const surplus = seen[at]
  return open || surplus === undefined ? null : `printed, and not shown: ${surplus}`
}

function linesOf(lines: readonly string[]): readonly string[] {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

function patternOf(line: string): RegExp {
  const parts = line.trimEnd().split(ANYTHING)
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`)
}
