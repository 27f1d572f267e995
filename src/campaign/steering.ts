import { crossMixes, drawMix, type Mix } from '../simulation/scriptOptions.ts'
import { type Stream, split } from '../simulation/seed.ts'
import { seedsIn } from './range.ts'
import type { Round } from './rounds.ts'

/** The name of this way to draw mixes and their scripts: what follows from the same results differs between two names. */
export const STEERING = 'steered/2'

/** What one seed of a round came to. */
export interface SeedResult {
  readonly mix: Mix
  /** Steps that were run. */
  readonly steps: number
  /** States that no seed before, in order of seeds, had reached. */
  readonly newStates: number
}

/**
 * A round does not wait for the one before it, so that workers always have one to run while the results of another are
 * missing: its mixes follow from the rounds up to the second before it.
 */
export const LAG_ROUNDS = 2
/** Mixes are taken from the last rounds that have so many seeds together. What was good before lives on in them. */
export const PARENT_SEEDS = 1_000
/** Of the mixes of a round: a new one, and one of before as it is. The others are crossed. */
const FRESH_BPS = 2_500
const AGAIN_BPS = 2_000
/** Of the options of a crossed mix: any choice. */
const STRAY_BPS = 500
/** The best of so many is taken. */
const TOURNAMENT = 3

/**
 * The mixes of a round, one for each seed: more of those that reached new states, and of what can be crossed from them. A
 * function of the campaign's first seed and of the results of earlier rounds in order of seeds.
 *
 * @param past the results of the rounds up to the second before this one, or of the last of them that have `PARENT_SEEDS`
 *   together; empty for the first rounds.
 */
export function drawRound(
  campaign: { readonly firstSeed: number },
  round: Round,
  past: readonly (readonly SeedResult[])[],
): readonly Mix[] {
  const stream = split(campaign.firstSeed, `campaign.round.${round.number}`)
  const parents = lastOf(past).flatMap(rate)
  return Array.from({ length: seedsIn(round) }, () => {
    const lot = stream.int(1, 10_000)
    if (parents.length === 0 || lot <= FRESH_BPS) return drawMix(stream)
    if (lot <= FRESH_BPS + AGAIN_BPS) return pickParent(parents, stream)
    return crossMixes(() => pickParent(parents, stream), STRAY_BPS, stream)
  })
}

/** The last rounds that have enough seeds together. */
function lastOf(past: readonly (readonly SeedResult[])[]): readonly (readonly SeedResult[])[] {
  let [first, seeds] = [past.length, 0]
  while (first > 0 && seeds < PARENT_SEEDS) {
    first -= 1
    seeds += past[first]?.length ?? 0
  }
  return past.slice(first)
}

interface Parent {
  readonly mix: Mix
  readonly rating: number
}

/**
 * New states for each step: how long a script is, its seed decides and not its mix. Early rounds find more that is new than
 * later ones do, so a mix is compared with the others of its round.
 */
function rate(round: readonly SeedResult[]): readonly Parent[] {
  const rates = round.map(({ newStates, steps }) => newStates / Math.max(1, steps))
  const mean = rates.reduce((sum, each) => sum + each, 0) / round.length
  return round.map(({ mix }, index) => ({ mix, rating: mean === 0 ? 0 : (rates[index] as number) / mean }))
}

function pickParent(parents: readonly Parent[], stream: Stream): Mix {
  let best: Parent | null = null
  for (let drawn = 0; drawn < TOURNAMENT; drawn += 1) {
    const parent = stream.pick(parents)
    if (best === null || parent.rating > best.rating) best = parent
  }
  return (best as Parent).mix
}
