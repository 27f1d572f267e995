import type { Campaign } from '../../campaign/campaigns.ts'
import { describeRange, seedsIn } from '../../campaign/range.ts'
import type { CampaignFailure } from '../../campaign/rangeResult.ts'
import type { CampaignReport } from '../../campaign/report.ts'
import type { CampaignStatus } from '../../campaign/status.ts'
import type { Mismatch } from '../../campaign/verify.ts'
import { plural } from '../../reporting/plural.ts'
import { missedFloors } from '../../runner/floors.ts'
import { replayOfSeed } from '../../runner/simulate/simulate.ts'
import { invocation } from '../invocation.ts'
import { describeUnmet, statesTable } from '../simulateTables.ts'
import { table } from '../table.ts'

/** All campaigns of a database, a row for each. */
export function listTable(all: readonly Campaign[]): string {
  const rows = all.map((campaign) => [
    campaign.id,
    describeRange(campaign),
    `${campaign.seedsDone} of ${seedsIn(campaign)}`,
    stateOf(campaign),
  ])
  return table(['campaign', 'seeds', 'done', 'state'], rows)
}

/** Where one campaign stands. */
export function describeStatus({ campaign, seedsPerS, leftS, machines, failures }: CampaignStatus): string {
  const rate = seedsPerS === null ? '' : `, ${seedsPerS.toFixed(1)} seeds a second`
  const left = leftS === null ? '' : `, ${describeSeconds(leftS)} left`
  const lines = [
    `campaign ${campaign.id}, seeds ${describeRange(campaign)}: ${campaign.seedsDone} of ${seedsIn(campaign)} done, ${stateOf(campaign)}${rate}${left}`,
    ...(campaign.problem === null ? [] : [`stopped: ${campaign.problem}`]),
  ]
  if (machines.length > 0)
    lines.push(
      table(
        ['machine', 'ranges', 'seeds', 'in hand'],
        machines.map(({ machine, ranges, seeds, inHand }) => [machine, ranges, seeds, inHand]),
        ['left', 'right', 'right', 'right'],
      ),
    )
  return [...lines, ...failures.map(describeFailure)].join('\n')
}

/** The report of a campaign. The root is the last line. */
export function describeReport(report: CampaignReport): string {
  const { seeds, root, failures, floors, steps, states } = report
  const unmet = missedFloors(floors)
  return [
    statesTable({ runs: seeds.done, steps, states: Object.entries(states) }),
    ...failures.map(describeFailure),
    ...(unmet.length === 0 ? [] : [describeUnmet(unmet)]),
    root === null
      ? `no root yet: ${seeds.done} of ${seeds.last - seeds.first + 1} seeds are done`
      : `root of seeds ${seeds.first}..${seeds.last}: ${root}`,
  ].join('\n')
}

/** A seed that came to something else when it was run again. */
export function describeMismatch({ range, machine, seed, entry, here }: Mismatch): string {
  return [
    `seed ${seed} of the range ${describeRange(range)}, run by ${machine}, comes to something else here`,
    `  first difference: entry ${entry} of its trace; here it is ${JSON.stringify(here)}`,
    `  again with: ${replayOfSeed(seed, invocation())}`,
  ].join('\n')
}

function describeFailure({ fingerprint, status, seed, seeds, message, path }: CampaignFailure): string {
  return [
    `${status} ${fingerprint} in ${plural(seeds, 'seed')}, first ${seed}, again with: ${replayOfSeed(seed, invocation())}`,
    `  ${message}${path === null ? '' : ` (step ${path})`}`,
  ].join('\n')
}

function stateOf({ isFinished, isStopped }: Campaign): string {
  if (isFinished) return 'finished'
  return isStopped ? 'stopped' : 'open'
}

function describeSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}
