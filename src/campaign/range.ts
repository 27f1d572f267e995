/** Seeds in a row, both ends included. */
export interface SeedRange {
  readonly firstSeed: number
  readonly lastSeed: number
}

export function seedsIn({ firstSeed, lastSeed }: SeedRange): number {
  return lastSeed - firstSeed + 1
}

/** Returns a range in the form of the command line: `11..20`. */
export function describeRange({ firstSeed, lastSeed }: SeedRange): string {
  return `${firstSeed}..${lastSeed}`
}

/** Sizes of a range of random scripts: results come soon, and a lost range costs little. A hundred take about 12 s of one core. */
const SCRIPTS = { least: 5, most: 100 } as const
/** Up to this many ranges have the least size. */
const SHORT_RANGES = 2_000

/**
 * Returns the next ranges of a campaign, at most `most`, in order.
 *
 * @param all every seed of the campaign: the more seeds, the longer the ranges.
 * @param after the last seed before these ranges.
 * @param areScripts true if a seed is a random script; the cases of one seed take as long as a whole range of scripts.
 */
export function cutRanges(
  all: SeedRange,
  after: number,
  most: number,
  areScripts: boolean,
): readonly SeedRange[] {
  const size = areScripts
    ? Math.min(SCRIPTS.most, Math.max(SCRIPTS.least, Math.ceil(seedsIn(all) / SHORT_RANGES)))
    : 1
  const ranges: SeedRange[] = []
  for (let firstSeed = after + 1; firstSeed <= all.lastSeed && ranges.length < most; firstSeed += size)
    ranges.push({ firstSeed, lastSeed: Math.min(all.lastSeed, firstSeed + size - 1) })
  return ranges
}
