import { replayLine } from '../../../campaign/replay.ts'
import type { Sight } from '../../../campaign/watch.ts'
import type { CampaignView, FailureView } from '../../../reporting/report/campaign.ts'
import { describePlan } from '../caseTables.ts'
import { stateOf, stepsOf } from '../tables.ts'

/** A campaign as its page shows it. @param command how Plumbline is called, as `npx plumbline` */
export function viewOf({ status, away }: Sight, command: string): CampaignView {
  const { campaign, coverage, failures, ...rest } = status
  const { firstSeed, lastSeed, seedsDone, problem, id } = campaign
  return {
    ...{ id, problem, away, state: stateOf(campaign), what: describePlan(campaign.plan) },
    seeds: { first: firstSeed, last: lastSeed, done: seedsDone },
    verdict: rest.verdict,
    seedsPerS: rest.seedsPerS,
    leftS: rest.leftS,
    machines: rest.machines,
    coverage: { states: Object.keys(coverage.states).length, floors: coverage.floors },
    failures: failures.map(
      ({ fingerprint, status: how, seed, seeds, message, path, shrunk, ...failure }): FailureView => ({
        ...{ fingerprint, status: how, seed, seeds, message, path },
        replay: replayLine(campaign.plan, { ...failure, seed }, command),
        shrunk:
          shrunk === null || 'problem' in shrunk
            ? shrunk
            : { steps: stepsOf(shrunk).map((step) => JSON.stringify(step)) },
      }),
    ),
  }
}
