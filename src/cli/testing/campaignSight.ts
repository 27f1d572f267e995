import type { CampaignStatus } from '../../campaign/status.ts'
import type { CampaignSnapshot } from '../../campaign/watch.ts'

/** Returns a campaign on three machines, halfway, with a failure that was shrunk and one that could not be judged. */
export function campaignSight(change: Partial<CampaignStatus> = {}): CampaignSnapshot {
  const status: CampaignStatus = {
    campaign: {
      ...{ id: '3f2a9c01', firstSeed: 1, lastSeed: 20_000, plannedTo: 14_000, completeTo: 12_480 },
      ...{ seedsDone: 12_496, rangesDone: 781, busyMs: 9_256_000, budgetMs: null, stopOnFailure: false },
      ...{ isStopped: false, isFinished: false, problem: null },
      plan: { suite: 'simulate' },
      versions: { plumbline: '0.1.0', anvil: '1.7.1', contracts: 'c0de', nodeMajor: 20 },
    },
    seedsPerS: 21.6,
    leftS: 347,
    verdict: 'does-not-conform',
    coverage: {
      states: Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`state ${index}`, 7 * index + 1])),
      floors: [
        { label: 'step: mine', floor: 1_000, met: 48_211 },
        { label: 'struck: storeAfter', floor: 200, met: 131 },
        { label: 'reported: 422', floor: 100, met: 97 },
      ],
    },
    machines: [
      { machine: 'build-1', ranges: 402, seeds: 6_432, inHand: 8 },
      { machine: 'build-2', ranges: 371, seeds: 5_936, inHand: 8 },
      { machine: 'laptop', ranges: 8, seeds: 128, inHand: 0 },
    ],
    failures: [
      {
        ...{ fingerprint: '9b1c44d0a7e2f035', seed: 4_102, seeds: 17, status: 'fail' },
        ...{ property: 'confirm.credits', requirement: 'confirm.pending' },
        message: 'confirm.pending: expected 202, actual 200 (report 3, step 41)',
        path: '41',
        shrunk: {
          case: { steps: [{ op: 'swap', venue: 'venue_a' }, { op: 'mine', blocks: 11 }, { op: 'confirm' }] },
          ...{ requirement: 'confirm.pending', expected: '202', actual: '200 (report 1, step 2)' },
          ...{ tries: 214, exhausted: false },
        },
      },
      {
        ...{ fingerprint: 'd07e51aa90c3b264', seed: 11_870, seeds: 1, status: 'inconclusive' },
        ...{ property: null, requirement: null, path: null, shrunk: null },
        message: 'the chain did not respond within 30 s',
      },
    ],
    ...change,
  }
  return { status, away: null }
}
