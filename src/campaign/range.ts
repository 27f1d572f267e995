/** Seeds in a row, both ends included. */
export interface SeedRange {
  readonly firstSeed: number
  readonly lastSeed: number
}

/** Returns how many seeds a range holds. */
export function seedsIn({ firstSeed, lastSeed }: SeedRange): number {
  return lastSeed - firstSeed + 1
}

/** Returns a range as on the command line: `11..20`. */
export function describeRange({ firstSeed, lastSeed }: SeedRange): string {
  return `${firstSeed}..${lastSeed}`
}

/** Seeds of one range of random scripts: a result comes soon, and one that is lost costs little. A hundred take about 12 s of one core. */
const SCRIPTS = { least: 5, most: 100 } as const
/** Up to so many ranges are as short as they may be. */
const SHORT_RANGES = 2_000

/**
 * Returns the ranges of the seeds that begin after one of them, in order, at most so many.
 *
 * @param all every seed of the campaign: of many seeds each range is longer.
 * @param areScripts whether a seed is a random script; the cases of a seed take as long as a whole range of scripts.
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
