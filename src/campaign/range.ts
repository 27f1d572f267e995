/** Seeds in a row, both ends included. */
export interface SeedRange {
  readonly firstSeed: number
  readonly lastSeed: number
}

/** Returns how many seeds a range holds. */
export function seedsIn({ firstSeed, lastSeed }: SeedRange): number {
  return lastSeed - firstSeed + 1
}

/** `11..20`, as on the command line. */
export function describeRange({ firstSeed, lastSeed }: SeedRange): string {
  return `${firstSeed}..${lastSeed}`
}

/** Describes what a campaign has planned and finished so far. */
export interface Progress extends SeedRange {
  /** The last seed that belongs to a planned range; the one before the first seed when none does. */
  readonly plannedTo: number
  readonly seedsDone: number
  readonly rangesDone: number
  /** How long the finished ranges took, each on one core. */
  readonly busyMs: number
}

/** The first ranges of random scripts: short, because nothing is measured yet, and somebody waits for a result. */
export const FIRST_SEEDS = 5
/** A range shall take so long on one core: its own cost to the queue is small then, and so is what a lost one costs. */
const RANGE_MS = 12_000
const SEEDS_MAX = 10_000
/** Ranges that wait or run: many are planned only once their size is well measured, and no more than any machines need. */
const AHEAD = { first: 32, forEachDone: 4, most: 1_000 } as const

/**
 * Returns the ranges to plan next, in order of seeds: none while enough of them wait. Their size follows from how long the
 * finished ones took.
 *
 * @param firstSeeds how many seeds a range has while nothing is measured.
 */
export function cutRanges(progress: Progress, firstSeeds = FIRST_SEEDS): readonly SeedRange[] {
  const { firstSeed, lastSeed, plannedTo, seedsDone, rangesDone } = progress
  const size = progress.busyMs <= 0 ? firstSeeds : sizeFor(progress)
  const ahead = Math.min(AHEAD.most, AHEAD.first + AHEAD.forEachDone * rangesDone)
  const waiting = Math.ceil((plannedTo - firstSeed + 1 - seedsDone) / size)
  if (waiting > ahead / 2) return []
  const ranges: SeedRange[] = []
  for (let next = plannedTo + 1; next <= lastSeed && ranges.length < ahead - waiting; ) {
    const last = Math.min(lastSeed, next + size - 1)
    ranges.push({ firstSeed: next, lastSeed: last })
    next = last + 1
  }
  return ranges
}

function sizeFor({ seedsDone, busyMs }: Progress): number {
  return Math.min(SEEDS_MAX, Math.max(1, Math.round((RANGE_MS * seedsDone) / busyMs)))
}
