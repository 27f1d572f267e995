import { roundsOf } from '../../../src/campaign/rounds.ts'
import { drawRound, LAG_ROUNDS, type SeedResult } from '../../../src/campaign/steering.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import type { Simulations } from './simulations.ts'

/** How many seeds a campaign needed to find a bug; null: more than it had. */
export type SeedsNeeded = number | null

/** The first seeds of all campaigns of a kind lie far from those of the other. */
const FIRST_SEED = { uniform: 10_001, steered: 100_001 } as const
const SEEDS_APART = 1_000

/** One steered campaign against a broken service, until it is found. @param options.campaign counted from 0. */
export async function steeredCampaign(
  simulations: Simulations,
  bug: Defect,
  { campaign, most }: { readonly campaign: number; readonly most: number },
): Promise<SeedsNeeded> {
  const firstSeed = FIRST_SEED.steered + campaign * SEEDS_APART
  const seeds = { firstSeed, lastSeed: firstSeed + most - 1 }
  const reached = new Set<number>()
  const results: SeedResult[][] = []
  for (const round of roundsOf(seeds)) {
    const usable = Math.max(0, round.number - LAG_ROUNDS + 1)
    const mixes = drawRound(seeds, round, results.slice(0, usable))
    const ofRound: SeedResult[] = []
    for (const [index, mix] of mixes.entries()) {
      const seed = round.firstSeed + index
      const { found, states, steps } = await simulations.against(bug, seed, mix)
      if (found) return seed - firstSeed + 1
      const fresh = states.filter((state) => !reached.has(state))
      for (const state of fresh) reached.add(state)
      ofRound.push({ mix, steps, newStates: fresh.length })
    }
    results.push(ofRound)
  }
  return null
}

/**
 * Campaigns of uniform drawing against a broken service, each until it is found. What a seed comes to does not depend on those
 * before it, so that a campaign begins with the seed after the last one of the campaign before.
 *
 * @param options.seeds of all of them together; one that is not over by then is none.
 */
export async function* uniformCampaigns(
  simulations: Simulations,
  bug: Defect,
  { most, seeds }: { readonly most: number; readonly seeds: number },
): AsyncGenerator<SeedsNeeded> {
  let needed = 0
  for (let seed = FIRST_SEED.uniform; seed < FIRST_SEED.uniform + seeds; seed += 1) {
    needed += 1
    const { found } = await simulations.against(bug, seed, null)
    if (!found && needed < most) continue
    yield found ? needed : null
    needed = 0
  }
}
