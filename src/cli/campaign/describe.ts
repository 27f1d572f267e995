import type { Campaign } from '../../campaign/campaigns.ts'
import type { StoredFailure } from '../../campaign/failures.ts'
import { describeRange, seedsIn } from '../../campaign/range.ts'
import type { CampaignReport, CampaignStatus } from '../../campaign/read.ts'
import type { SeedPlan } from '../../campaign/seedRunner.ts'
import type { Mismatch } from '../../campaign/verify.ts'
import { type Block, list, paragraph, strong, table } from '../../reporting/document/model.ts'
import { caseSection } from '../../reporting/documents/causes.ts'
import { plural } from '../../reporting/plural.ts'
import { describeMissed, missedFloors } from '../../runner/verdict/floors.ts'
import { statesBlocks, unmetBlocks } from '../simulation/simulationBlocks.ts'
import { replayLine } from './replay.ts'

/** Most missed floors that a status names. */
const FLOORS_SHOWN = 3
/** A failing case shows the exchange at which it failed, in full. */
const SHOWN = { exchanges: 1, characters: Number.POSITIVE_INFINITY } as const

export function campaignsTable(all: readonly CampaignStatus['campaign'][]): Block {
  const rows = all.map((campaign) => [
    ...[campaign.id, describePlan(campaign.plan), describeRange(campaign)],
    ...[`${campaign.seedsDone} of ${seedsIn(campaign)}`, stateOf(campaign)],
  ])
  return table('campaigns', ['campaign', 'suite', 'seeds', 'done', 'state'], rows)
}

/** Describes the state of a campaign: its progress, coverage, machines and failures. */
export function statusBlocks(status: CampaignStatus): readonly Block[] {
  const { campaign, states, floors, machines, failures } = status
  const missed = missedFloors(floors)
  const reached = `${floors.length - missed.length} of ${plural(floors.length, 'floor')} reached`
  const rest = missed.length - FLOORS_SHOWN
  return [
    paragraph(describeProgress(status)),
    ...(campaign.problem === null ? [] : [paragraph(strong(`stopped: ${campaign.problem}`, 'bad'))]),
    paragraph(`coverage: ${[plural(Object.keys(states).length, 'state'), reached].join(' met, ')}`),
    list([...missed.slice(0, FLOORS_SHOWN).map(describeMissed), ...(rest > 0 ? [`and ${rest} more`] : [])]),
    ...(machines.length === 0
      ? []
      : [
          table(
            'machines',
            ['machine', 'ranges', 'seeds', 'in hand'],
            machines.map(({ machine, ranges, seeds, inHand }) => [machine, ranges, seeds, inHand]),
          ),
        ]),
    ...failures.map((failure) => failureBlock(failure, campaign.plan)),
  ]
}

function describeProgress(status: CampaignStatus): string {
  const { campaign } = status
  const what = `campaign ${campaign.id}, ${describePlan(campaign.plan)}, seeds ${describeRange(campaign)}`
  const done = `${campaign.seedsDone} of ${seedsIn(campaign)} done`
  return `${what}: ${[done, stateOf(campaign), describeRate(status)].filter(Boolean).join(', ')}`
}

/** Returns the rate and the time left: `21.6 seeds a second, 5 min left`; empty if neither is known. */
export function describeRate({ seedsPerS, leftS }: Pick<CampaignStatus, 'seedsPerS' | 'leftS'>): string {
  return [
    ...(seedsPerS === null ? [] : [`${seedsPerS.toFixed(1)} seeds a second`]),
    ...(leftS === null ? [] : [`${describeSeconds(leftS)} left`]),
  ].join(', ')
}

/** Returns the report of a campaign. The root is the last line. */
export function reportBlocks(report: CampaignReport, plan: SeedPlan): readonly Block[] {
  const { seeds, root, failures, floors, steps, states } = report
  const unmet = missedFloors(floors)
  const met = `${floors.length - unmet.length} of ${plural(floors.length, 'floor')} reached`
  return [
    ...(plan.suite === 'simulate'
      ? statesBlocks({ runs: seeds.done, steps, states: Object.entries(states) })
      : [paragraph(`${plural(seeds.done, 'seed')}, ${plural(steps, 'case')}: ${met}`)]),
    ...failures.map((failure) => failureBlock(failure, plan)),
    ...unmetBlocks(unmet),
    paragraph(
      root === null
        ? `no root yet: ${seeds.done} of ${seeds.last - seeds.first + 1} seeds are done`
        : `root of seeds ${seeds.first}..${seeds.last}: ${root}`,
    ),
  ]
}

/** Describes a kind of failure with its case, like the result of a run, and the command that runs it again. */
export function failureBlock(failure: StoredFailure, plan: SeedPlan): Block {
  const { case: failed, fingerprint, seed, seeds } = failure
  const row = { ...failed, replay: replayLine(plan, failure) }
  return caseSection(row, null, SHOWN, [paragraph(`${fingerprint}: ${plural(seeds, 'seed')}, first ${seed}`)])
}

/** Describes a seed whose outcome differed when it was run again. */
export function describeMismatch({ range, machine, seed }: Mismatch, plan: SeedPlan): string {
  return [
    `seed ${seed} of the range ${describeRange(range)}, run by ${machine}, has another outcome here`,
    `  again with: ${replayLine(plan, { seed })}`,
  ].join('\n')
}

function describePlan({ suite, target, only = [], defect }: SeedPlan): string {
  const patterns = only.length === 0 ? '' : ` --only ${only.join(' ')}`
  const broken = defect === undefined ? '' : ` with the defect ${defect}`
  return `${suite}${patterns}${broken}${target === undefined ? '' : ` of ${target.named}`}`
}

function stateOf({ isFinished, isStopped }: Campaign): 'open' | 'finished' | 'stopped' {
  if (isFinished) return 'finished'
  return isStopped ? 'stopped' : 'open'
}

/** Returns a duration such as `2 h 5 min`. */
function describeSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min` : `${Math.ceil(seconds)} s`
}
