import { createHash } from 'node:crypto'
import type { Floor } from '../reporting/results.ts'
import { floorsOf, missedFloors, sumLabels } from '../runner/verdict/floors.ts'
import type { Ending } from '../runner/verdict/verdict.ts'
import { type Campaign, findCampaign } from './campaigns.ts'
import type { CampaignDatabase } from './database/open.ts'
import { failuresOf, type StoredFailure } from './failureStore.ts'
import { type SeedRange, seedsIn } from './range.ts'
import type { RangeResult } from './rangeResult.ts'
import { replayLine } from './replay.ts'
import type { SeedPlan } from './seedRunner.ts'

/** Describes what a campaign came to: a function of its seeds and versions, whoever ran them, in which order and in which ranges. */
export interface CampaignReport {
  readonly schema: 'plumbline-campaign/1'
  readonly suite: SeedPlan['suite']
  /** The known-broken service that was run; null: the reference. */
  readonly defect: string | null
  /** The service that was run instead, as it was named; null: one of ours. */
  readonly target: string | null
  /** The patterns of the cases that were run; empty: all. */
  readonly only: readonly string[]
  /** Who decided how much of everything the scripts held: their seeds alone, or the results of earlier seeds too. */
  readonly seeds: { readonly first: number; readonly last: number; readonly done: number }
  /**
   * SHA-256 over the digests of all traces in order of seeds, in hex; null
   * while seeds are left.
   */
  readonly root: string | null
  readonly verdict: Exclude<Ending, 'usage'>
  /** Steps that were run; for suites of cases, how many cases there were. */
  readonly steps: number
  /** How often each state, or class of cases, was met. */
  readonly states: Readonly<Record<string, number>>
  readonly floors: readonly Floor[]
  /** Each failure once, shrunk, with the command that runs its lowest seed again. */
  readonly failures: readonly (StoredFailure & { readonly replay: string })[]
}

/** Describes what of a finished range the report is made of. */
export type ReportedRange = Pick<RangeResult, 'firstSeed' | 'lastSeed' | 'steps' | 'labels' | 'digests'>

/** Describes what the seeds of a whole campaign must have met together. */
export type DemandOf = (seeds: {
  readonly plan: SeedPlan
  readonly count: number
  readonly labels: ReadonlyMap<string, number>
  /** True if any of them fails. */
  readonly hasFailed: boolean
}) => Readonly<Record<string, number>>

/** How a report calls Plumbline: the same words for whoever reads it. */
const COMMAND = 'npx plumbline'
/** Rows that are read at once. */
const PAGE = 200

/** Returns the report of a campaign, as far as it is. @throws {NoCampaignError} */
export async function readReport(
  database: CampaignDatabase,
  id: string,
  demandOf: DemandOf,
): Promise<CampaignReport> {
  // One snapshot: a range that is finished meanwhile is in it with all that it found, or not at all.
  const snapshot = database.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (db) => {
    const seen = { ...database, db }
    const campaign = await findCampaign(seen, id)
    const failures = await failuresOf(seen, id)
    return reportOf(campaign, rangesOf(seen, id), failures, demandOf)
  })
}

/** @param ranges the finished ranges, in order of seeds. */
export async function reportOf(
  { plan, firstSeed, lastSeed }: SeedRange & Pick<Campaign, 'plan'>,
  ranges: AsyncIterable<ReportedRange> | Iterable<ReportedRange>,
  failures: readonly StoredFailure[],
  demandOf: DemandOf,
): Promise<CampaignReport> {
  const root = createHash('sha256')
  let [done, steps] = [0, 0]
  let states: ReadonlyMap<string, number> = new Map()
  for await (const range of ranges) {
    root.update(range.digests)
    done += seedsIn(range)
    steps += range.steps
    states = sumLabels([states, range.labels])
  }
  const isWhole = done === seedsIn({ firstSeed, lastSeed })
  const hasFailed = failures.some(({ status }) => status === 'fail')
  const floors = isWhole ? floorsOf(demandOf({ plan, count: done, labels: states, hasFailed }), states) : []
  return {
    schema: 'plumbline-campaign/1',
    suite: plan.suite,
    defect: plan.defect ?? null,
    target: plan.target?.named ?? null,
    only: plan.only ?? [],
    seeds: { first: firstSeed, last: lastSeed, done },
    root: isWhole ? root.digest('hex') : null,
    verdict: verdictOf({ isWhole, floors, failures }),
    steps,
    states: Object.fromEntries(states),
    floors,
    failures: failures
      .toSorted((one, other) => one.seed - other.seed || (one.fingerprint < other.fingerprint ? -1 : 1))
      .map((failure) => ({ ...failure, replay: replayLine(plan, failure, COMMAND) })),
  }
}

/** Returns the verdict on a campaign, as far as it is. @param floors of all its seeds. */
export function verdictOf({
  isWhole,
  floors,
  failures,
}: {
  readonly isWhole: boolean
  readonly floors: readonly Floor[]
  readonly failures: readonly Pick<StoredFailure, 'status'>[]
}): CampaignReport['verdict'] {
  if (failures.some(({ status }) => status === 'fail')) return 'does-not-conform'
  const isGap = !isWhole || missedFloors(floors).length > 0 || failures.length > 0
  return isGap ? 'inconclusive' : 'conforms'
}

/** Returns the finished ranges of a campaign, in order of seeds. */
async function* rangesOf({ db }: CampaignDatabase, id: string): AsyncGenerator<ReportedRange> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('ranges')
      .select(['first_seed', 'last_seed', 'steps', 'labels', 'digests'])
      .where('campaign_id', '=', id)
      .where('first_seed', '>', after)
      .orderBy('first_seed')
      .limit(PAGE)
      .execute()
    for (const { first_seed: firstSeed, last_seed: lastSeed, ...rest } of rows)
      yield { firstSeed, lastSeed, ...rest }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.first_seed
  }
}
