import leven, { closestMatch } from 'leven'

/** Number of wrong letters in a typing error: at most a third. */
const errorsMax = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))

/** Returns the candidate that a mistyped word most likely means; null: none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const near = candidates.filter((candidate) => {
    const most = errorsMax(candidate)
    return leven(word, candidate, { maxDistance: most + 1 }) <= most
  })
  return closestMatch(word, near) ?? null
}
