import { type Kysely, sql } from 'kysely'
import type { Floor } from '../reporting/results.ts'
import { floorsOf, missedFloors } from '../runner/verdict/floors.ts'
import type { Ending } from '../runner/verdict/verdict.ts'
import { type Campaign, findCampaign } from './campaigns.ts'
import { type CampaignDatabase, WORKER_PREFIX } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { failuresOf, type StoredFailure } from './failures.ts'
import { seedsIn } from './range.ts'
import type { SeedPlan } from './seedRunner.ts'

/** The combined results of the finished ranges of a campaign. */
interface Reached {
  /** Verdict so far: a campaign with seeds left does not conform yet. */
  readonly verdict: Exclude<Ending, 'usage'>
  /** Number of steps; for suites of cases, of cases. */
  readonly steps: number
  /** Number of times that each state, or class of cases, was met. */
  readonly states: Readonly<Record<string, number>>
  /** Floors for all of its seeds together, with the counts of the finished ones. */
  readonly floors: readonly Floor[]
  /** Each kind of failure once. */
  readonly failures: readonly StoredFailure[]
}

/** The results of a campaign: they depend on its seeds and versions only, not on machines, order or ranges. */
export interface CampaignReport extends Reached {
  readonly schema: 'plumbline-campaign/1'
  readonly suite: SeedPlan['suite']
  /** The known-broken service that was run; null: the reference. */
  readonly defect: string | null
  /** The outside service, as it was named; null: the reference or a known-broken service was run. */
  readonly target: string | null
  /** The patterns of the cases that were run; empty: all. */
  readonly only: readonly string[]
  readonly seeds: { readonly first: number; readonly last: number; readonly done: number }
  /** SHA-256 over the digests of all traces in order of seeds, in hex; null while seeds are left. */
  readonly root: string | null
}

/** The state of a campaign, with the machines that work on it. */
export interface CampaignStatus extends Reached {
  readonly campaign: Campaign & { readonly seedsDone: number }
  readonly root: string | null
  /** Seeds per second over the last minute; null if that minute has no finished range, and once the campaign is finished. */
  readonly seedsPerS: number | null
  /**
   * Seconds until the campaign ends, with its last seed at that rate or with its budget, whichever is sooner; null if neither is
   * known, or if it has ended.
   */
  readonly leftS: number | null
  readonly machines: readonly MachineStatus[]
}

/** The ranges and seeds that a machine has finished, and those that it runs. */
interface MachineStatus {
  readonly machine: string
  readonly ranges: number
  readonly seeds: number
  /** Ranges that run now, counted by open transactions of its workers; those of other campaigns are included. */
  readonly inHand: number
}

/** Returns the floors for all seeds of a campaign together. */
export type DemandOf = (seeds: {
  readonly plan: SeedPlan
  readonly count: number
  readonly labels: ReadonlyMap<string, number>
  /** True if any of them fails. */
  readonly hasFailed: boolean
}) => Readonly<Record<string, number>>

const RATE_OVER_S = 60
const DONE = sql.table(`${SCHEMA}.done`)

/** Returns the report of a campaign with this status. */
export function reportOf({ campaign, root, ...status }: CampaignStatus): CampaignReport {
  const { plan, firstSeed, lastSeed, seedsDone } = campaign
  const { verdict, steps, states, floors, failures } = status
  return {
    schema: 'plumbline-campaign/1',
    suite: plan.suite,
    defect: plan.defect ?? null,
    target: plan.target?.named ?? null,
    only: plan.only ?? [],
    seeds: { first: firstSeed, last: lastSeed, done: seedsDone },
    ...{ root, verdict, steps, states, floors: root === null ? [] : floors, failures },
  }
}

/**
 * Returns a consistent snapshot of the status of a campaign: a range that finishes meanwhile is included with all of its results
 * or not at all.
 *
 * @throws {UsageError} no campaign has this id.
 */
export function readStatus(
  { db }: Pick<CampaignDatabase, 'db'>,
  id: string,
  demandOf: DemandOf,
): Promise<CampaignStatus> {
  const moment = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return moment.execute((transaction) => readDone(transaction, id, demandOf))
}

async function readDone(db: Kysely<Tables>, id: string, demandOf: DemandOf): Promise<CampaignStatus> {
  const found = await findCampaign({ db }, id)
  const failures = await failuresOf(db, id)
  const finished = await finishedBy(db, id)
  const { rows: states } = await sql<{ label: string; times: number }>`
    select label, sum(times::double precision) as times from ${DONE}, jsonb_each_text(labels) as each(label, times)
    where campaign_id = ${id} group by label order by label collate "C"`.execute(db)
  const labels = new Map(states.map(({ label, times }) => [label, times]))
  const sum = (of: 'seeds' | 'steps') => finished.reduce((total, each) => total + each[of], 0)
  const campaign = { ...found, seedsDone: sum('seeds') }
  const count = seedsIn(campaign)
  const isWhole = campaign.seedsDone === count
  const hasFailed = failures.some(({ case: { status } }) => status === 'fail')
  const floors = floorsOf(demandOf({ plan: campaign.plan, count, labels, hasFailed }), labels)
  const isGap = !isWhole || missedFloors(floors).length > 0 || failures.length > 0
  return {
    campaign,
    verdict: hasFailed ? 'does-not-conform' : isGap ? 'inconclusive' : 'conforms',
    ...{ steps: sum('steps'), states: Object.fromEntries(labels), floors, failures },
    root: isWhole ? await rootOf(db, id) : null,
    ...(campaign.isFinished ? { seedsPerS: null, leftS: null } : await paceOf(db, campaign)),
    machines: await machinesOf(db, finished),
  }
}

/** Returns the totals of each machine. */
function finishedBy(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('done')
    .select('machine')
    .select(sql<number>`count(*)::integer`.as('ranges'))
    .select(sql<number>`sum(last_seed - first_seed + 1)::integer`.as('seeds'))
    .select(sql<number>`sum(steps)::double precision`.as('steps'))
    .where('campaignId', '=', id)
    .groupBy('machine')
    .execute()
}

async function rootOf(db: Kysely<Tables>, id: string): Promise<string> {
  const { root } = await db
    .selectFrom('done')
    .select(sql<string>`encode(sha256(string_agg(digests, '' order by first_seed)), 'hex')`.as('root'))
    .where('campaignId', '=', id)
    .executeTakeFirstOrThrow()
  return root
}

/** Returns the rate of a campaign and the time left. */
async function paceOf(
  db: Kysely<Tables>,
  { id, isStopped, seedsDone, budgetMs, ...seeds }: CampaignStatus['campaign'],
): Promise<Pick<CampaignStatus, 'seedsPerS' | 'leftS'>> {
  const isRecent = sql`filter (where completed_at > clock_timestamp() - ${RATE_OVER_S} * interval '1 s')`
  const { rows } = await sql<{ seedsPerS: number | null; budgetS: number | null }>`
    select sum(last_seed - first_seed + 1) ${isRecent} / least(${RATE_OVER_S}::double precision,
        extract(epoch from clock_timestamp() - min(began_at) ${isRecent})::double precision) as "seedsPerS",
      extract(epoch from min(began_at) - clock_timestamp())::double precision + ${budgetMs}::double precision / 1000
        as "budgetS"
    from ${DONE} where campaign_id = ${id}`.execute(db)
  const { seedsPerS = null, budgetS = null } = rows[0] ?? {}
  const bySeedsS = seedsPerS === null ? null : (seedsIn(seeds) - seedsDone) / seedsPerS
  const known = [bySeedsS, budgetS].flatMap((each) => (each === null ? [] : [Math.max(0, each)]))
  return { seedsPerS, leftS: isStopped || known.length === 0 ? null : Math.min(...known) }
}

/** Adds the number of ranges that each machine runs now. */
async function machinesOf(
  db: Kysely<Tables>,
  finished: readonly Omit<MachineStatus, 'inHand'>[],
): Promise<readonly MachineStatus[]> {
  const { rows } = await sql<{ name: string; ranges: number }>`
    select application_name as name, count(*)::integer as ranges from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
      and application_name like ${`${WORKER_PREFIX}%`} group by application_name`.execute(db)
  const inHand = new Map(rows.map(({ name, ranges }) => [name.slice(WORKER_PREFIX.length), ranges]))
  const byName = new Map(finished.map((each) => [each.machine, each]))
  return [...new Set([...byName.keys(), ...inHand.keys()])].sort().map((machine) => {
    const { ranges = 0, seeds = 0 } = byName.get(machine) ?? {}
    return { machine, ranges, seeds, inHand: inHand.get(machine) ?? 0 }
  })
}
