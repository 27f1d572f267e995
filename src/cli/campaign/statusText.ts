import { describeRange, seedsIn } from '../../campaign/range.ts'
import type { CampaignStatus } from '../../campaign/status.ts'
import { table } from '../../reporting/document/textTable.ts'
import { plural } from '../../reporting/plural.ts'
import { missedFloors } from '../../runner/verdict/floors.ts'
import { describePlan } from './caseTables.ts'
import { describeFailure, stateOf } from './tables.ts'

/** Floors that are named. */
const FLOORS_SHOWN = 3

/** Where one campaign stands. */
export function describeStatus(status: CampaignStatus): string {
  const { campaign, coverage, machines, failures } = status
  return [
    describeProgress(status),
    ...(campaign.problem === null ? [] : [`stopped: ${campaign.problem}`]),
    describeCoverage(coverage),
    ...(machines.length === 0 ? [] : [machinesTable(machines)]),
    ...failures.map((failure) => describeFailure(failure, campaign.plan)),
  ].join('\n')
}

/** Returns how far a campaign is, in one line. */
export function describeProgress({ campaign, seedsPerS, leftS }: CampaignStatus): string {
  const parts = [
    `${campaign.seedsDone} of ${seedsIn(campaign)} done`,
    stateOf(campaign),
    ...describeRate({ seedsPerS, leftS }),
  ]
  return `campaign ${campaign.id}, ${describePlan(campaign.plan)}, seeds ${describeRange(campaign)}: ${parts.join(', ')}`
}

/** Returns how fast it is, and how long it takes, as far as that is known. */
export function describeRate({
  seedsPerS,
  leftS,
}: Pick<CampaignStatus, 'seedsPerS' | 'leftS'>): readonly string[] {
  return [
    ...(seedsPerS === null ? [] : [`${seedsPerS.toFixed(1)} seeds a second`]),
    ...(leftS === null ? [] : [`${describeSeconds(leftS)} left`]),
  ]
}

/** Returns what the finished ranges met, and what of the floors is missing, in one line. */
export function describeCoverage({ states, floors }: CampaignStatus['coverage']): string {
  const met = `coverage: ${plural(Object.keys(states).length, 'state')} met`
  if (floors.length === 0) return met
  const missed = missedFloors(floors)
  const named = missed
    .slice(0, FLOORS_SHOWN)
    .map(({ label, floor, met: times }) => `${label} ${times}/${floor}`)
  const more = missed.length > named.length ? ` and ${missed.length - named.length} more` : ''
  const open = missed.length === 0 ? '' : `; below: ${named.join(', ')}${more}`
  return `${met}, ${floors.length - missed.length} of ${plural(floors.length, 'floor')} reached${open}`
}

/** Returns a row for each machine. @param width of the terminal in columns; default: what it says */
export function machinesTable(machines: CampaignStatus['machines'], width?: number): string {
  return table(
    ['machine', 'ranges', 'seeds', 'in hand'],
    machines.map(({ machine, ranges, seeds, inHand }) => [machine, ranges, seeds, inHand]),
    ['left', 'right', 'right', 'right'],
    width,
  )
}

/** `2 h 5 min`. */
function describeSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}
