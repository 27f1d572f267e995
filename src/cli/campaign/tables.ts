import type { Campaign } from '../../campaign/campaigns.ts'
import type { FailureFiles } from '../../campaign/failureFiles.ts'
import type { StoredFailure } from '../../campaign/failureStore.ts'
import { describeRange, seedsIn } from '../../campaign/range.ts'
import { replayLine } from '../../campaign/replay.ts'
import type { CampaignReport } from '../../campaign/report.ts'
import type { SeedPlan, ShrunkFailure } from '../../campaign/seedRunner.ts'
import type { Mismatch } from '../../campaign/verify.ts'
import { table } from '../../reporting/document/textTable.ts'
import { plural } from '../../reporting/plural.ts'
import { missedFloors } from '../../runner/verdict/floors.ts'
import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { describeUnmet, statesTable } from '../simulation/simulateTables.ts'
import { invocation } from '../terminal/invocation.ts'
import { casesTable, describePlan } from './caseTables.ts'

/** What is shown of the body of a response. */
const BODY_CHARACTERS = 300

/** All campaigns of a database, a row for each. */
export function listTable(all: readonly Campaign[]): string {
  const rows = all.map((campaign) => [
    campaign.id,
    describePlan(campaign.plan),
    describeRange(campaign),
    `${campaign.seedsDone} of ${seedsIn(campaign)}`,
    stateOf(campaign),
  ])
  return table(['campaign', 'suite', 'seeds', 'done', 'state'], rows)
}

/** Returns the report of a campaign. The root is the last line. */
export function describeReport(report: CampaignReport, plan: SeedPlan): string {
  const { seeds, root, failures, floors, steps, states } = report
  const unmet = missedFloors(floors)
  return [
    plan.suite === 'simulate'
      ? statesTable({ runs: seeds.done, steps, states: Object.entries(states) })
      : casesTable(report),
    ...failures.map((failure) => describeFailure(failure, plan)),
    ...(unmet.length === 0 ? [] : [describeUnmet(unmet)]),
    root === null
      ? `no root yet: ${seeds.done} of ${seeds.last - seeds.first + 1} seeds are done`
      : `root of seeds ${seeds.first}..${seeds.last}: ${root}`,
  ].join('\n')
}

/** Returns a seed that came to something else when it was run again. */
export function describeMismatch(
  { range, machine, seed, property, entry, here }: Mismatch,
  plan: SeedPlan,
): string {
  return [
    `seed ${seed} of the range ${describeRange(range)}, run by ${machine}, comes to something else here`,
    `  first difference: entry ${entry} of its trace; here it is ${JSON.stringify(here)}`,
    `  again with: ${replayLine(plan, { seed, property: property ?? null }, invocation())}`,
  ].join('\n')
}

/** Where the files of a failure are. */
export function describeFiles({ failure, script, recording }: FailureFiles): string {
  const kept = script === null ? [] : [`written to ${script}`]
  const recorded = recording === null ? [] : [`recorded in ${recording}`]
  return `${failure.fingerprint} ${[...kept, ...recorded].join(', ')}`
}

/** Returns a way of failing, with the command that runs it again, and its smallest case. */
export function describeFailure(failure: StoredFailure, plan: SeedPlan): string {
  const { fingerprint, status, seed, seeds, message, path, shrunk } = failure
  return [
    `${status} ${fingerprint} in ${plural(seeds, 'seed')}, first ${seed}`,
    `  again with: ${replayLine(plan, failure, invocation())}`,
    `  ${message}${path === null ? '' : ` (step ${path})`}`,
    ...(shrunk === null ? [] : describeShrunk(shrunk)),
  ].join('\n')
}

function describeShrunk(shrunk: ShrunkFailure): readonly string[] {
  if ('problem' in shrunk)
    return [
      `  not shrunk: ${shrunk.problem}`,
      ...(shrunk.exchange === undefined ? [] : [`  ${describeExchange(shrunk.exchange)}`]),
    ]
  const { requirement, expected, actual, tries, exhausted, notes = [] } = shrunk
  const limit = exhausted ? ', which is the limit' : ''
  return [
    tries === undefined
      ? `  shrunk (${notes.join('; ')}):`
      : `  shrunk to ${lengthOf(shrunk)} in ${plural(tries, 'run')}${limit}:`,
    ...stepsOf(shrunk).map((step) => `    ${JSON.stringify(step)}`),
    `  ${requirement}: expected ${expected}, actual ${actual}`,
  ]
}

function describeExchange({ request, response }: Exchange): string {
  return `${request.method} ${request.path}: ${response.status} ${shortenText(response.body, BODY_CHARACTERS)}`
}

/** `2 steps`. */
export function lengthOf(shrunk: SmallestCase): string {
  return plural(stepsOf(shrunk).length, 'step')
}

type SmallestCase = Exclude<ShrunkFailure, { readonly problem: string }>

/** Returns the steps of the smallest case. */
function stepsOf({ case: smallest }: SmallestCase): readonly unknown[] {
  return (smallest as { readonly steps?: readonly unknown[] } | null)?.steps ?? [smallest]
}

/** In one word. */
export function stateOf({ isFinished, isStopped }: Campaign): 'open' | 'finished' | 'stopped' {
  if (isFinished) return 'finished'
  return isStopped ? 'stopped' : 'open'
}
