/** Returns the candidate that a mistyped word most likely means, or null when none is near. */
function nearest(word: string, candidates: readonly string[]): string | null {
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    // So much longer or shorter is too far, and a word from a file may have any length.
    if (Math.abs(candidate.length - word.length) > candidate.length) continue
    const distance = editDistance(word, candidate)
    if (best === null || distance < best.distance) best = { candidate, distance }
  }
  // A third of the letters wrong is still a typing error; more is another word.
  const near = best !== null && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
  return near && best !== null ? best.candidate : null
}

/** Returns the sentence that goes with it; empty when nothing is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = nearest(word, candidates)
  return candidate === null ? '' : `Did you mean ${candidate}? `
}

/**
 * Returns the same for a glob of ids: each part between dots that holds no `*` and is in no id becomes the nearest that is.
 *
 * @param selects whether a glob selects anything: one that does not is no suggestion.
 */
export function didYouMeanGlob(
  glob: string,
  ids: readonly string[],
  selects: (glob: string) => boolean,
): string {
  const parts = [...new Set(ids.flatMap((id) => id.split('.')))]
  const mended = glob
    .split('.')
    .map((part) => (part.includes('*') || parts.includes(part) ? part : (nearest(part, parts) ?? part)))
    .join('.')
  return mended !== glob && selects(mended) ? `Did you mean '${mended}'? ` : ''
}

/** Returns how many letters must be added, dropped or changed to make one word the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change))
    }
    row = next
  }
  return row[to.length] ?? 0
}
