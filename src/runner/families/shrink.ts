/** Result of a search for a smaller case. */
export interface Shrunk<Case> {
  readonly smallest: Case
  /** Number of candidates that were run. */
  readonly tries: number
  /** True if the budget ended the search. */
  readonly exhausted: boolean
}

/** Describes the cases to the search. */
export interface ShrinkSearch<Case> {
  /** Returns simpler cases than this one, the boldest changes first. */
  simpler(failing: Case): Iterable<unknown>
  /** Makes a candidate consistent again before it is run. Default: leaves it unchanged. */
  repair?(candidate: Case): Case
  isCase(candidate: unknown): candidate is Case
  /** Runs a candidate, and returns whether it fails. */
  stillFails(candidate: Case): Promise<boolean>
  /** Maximum number of candidates to run. */
  readonly budget: number
}

/**
 * Searches for the smallest case that still fails. After a success it goes on at the same place among the candidates of the
 * smaller case, and it ends when a whole pass finds nothing. No candidate is run twice. Nothing depends on time: equal cases
 * and outcomes give equal results.
 */
export async function shrink<Case>(failing: Case, search: ShrinkSearch<Case>): Promise<Shrunk<Case>> {
  const tried = new Set([JSON.stringify(failing)])
  let smallest = failing
  let position = 0
  let progress = false
  let candidates = candidatesFrom(smallest, search, 0)
  for (;;) {
    const { value: candidate, done } = candidates.next()
    if (done === true) {
      if (!progress) return { smallest, tries: tried.size - 1, exhausted: false }
      progress = false
      position = 0
      candidates = candidatesFrom(smallest, search, 0)
      continue
    }
    const text = JSON.stringify(candidate)
    if (candidate !== null && !tried.has(text)) {
      if (tried.size > search.budget) return { smallest, tries: tried.size - 1, exhausted: true }
      tried.add(text)
      if (await search.stillFails(candidate)) {
        smallest = candidate
        progress = true
        candidates = candidatesFrom(smallest, search, position)
        continue
      }
    }
    position += 1
  }
}

/** Yields the candidates from this place on; null for one that is not a valid case. */
function* candidatesFrom<Case>(
  failing: Case,
  { simpler, isCase, repair }: ShrinkSearch<Case>,
  from: number,
): Generator<Case | null, undefined> {
  let index = 0
  for (const candidate of simpler(failing)) {
    index += 1
    if (index <= from) continue
    yield isCase(candidate) ? (repair?.(candidate) ?? candidate) : null
  }
  return undefined
}
