import type { CampaignStatus } from '../../campaign/read.ts'
import { madeUpCase } from '../../campaign/testing/seeds.ts'

/** Returns a campaign on two machines, halfway, with a failure and a case that could not be judged. */
export function campaignStatus(change: Partial<CampaignStatus> = {}): CampaignStatus {
  const seeds = { firstSeed: 1, lastSeed: 20_000, seedsDone: 12_496 }
  return {
    campaign: {
      ...{ ...seeds, id: '3f2a9c01', budgetMs: null, stopOnFailure: false },
      ...{ isStopped: false, isFinished: false, problem: null },
      plan: { suite: 'simulate' },
      versions: { plumbline: '0.1.0', anvil: '1.7.1', contracts: 'c0de', nodeMajor: 20 },
    },
    ...{ seedsPerS: 21.6, leftS: 347, verdict: 'does-not-conform', steps: 620_602 },
    root: null,
    states: { 'step: mine': 48_211, 'struck: storeAfter': 131 },
    floors: [
      { label: 'step: mine', floor: 1_000, met: 48_211 },
      { label: 'struck: storeAfter', floor: 200, met: 131 },
    ],
    machines: [
      { machine: 'build-1', ranges: 402, seeds: 6_432, inHand: 8 },
      { machine: 'laptop', ranges: 8, seeds: 128, inHand: 0 },
    ],
    failures: [
      { fingerprint: '9b1c44d0a7e2f035', seed: 4_102, seeds: 17, case: madeUpCase(4_102) },
      {
        ...{ fingerprint: 'd07e51aa90c3b264', seed: 11_870, seeds: 1 },
        case: { id: 'random', title: '', requirements: [], status: 'inconclusive', notes: [], failure: null },
      },
    ],
    ...change,
  }
}
