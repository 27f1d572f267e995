import type { SeedRange } from './range.ts'

/** The first rounds: short, so that the results of the first seeds soon decide what comes next. */
const ROUND_SEEDS_MIN = 10
/** Later rounds grow with the campaign, so that any number of workers finds ranges in the two that are open. */
const GROWTH_SHARE = 10

/** Seeds whose mixes are drawn together. */
export interface Round extends SeedRange {
  /** Counted from 0. */
  readonly number: number
}

/** The rounds of a campaign, in order: they follow from its seeds, and from nothing that happens. */
export function* roundsOf({ firstSeed, lastSeed }: SeedRange): Generator<Round> {
  for (let number = 0, first = firstSeed; first <= lastSeed; number += 1) {
    const seeds = Math.max(ROUND_SEEDS_MIN, Math.floor((first - firstSeed) / GROWTH_SHARE))
    yield { number, firstSeed: first, lastSeed: Math.min(first + seeds - 1, lastSeed) }
    first += seeds
  }
}
