import { type Kysely, sql } from 'kysely'
import type { Floor } from '../reporting/results.ts'
import { floorsOf, missedFloors } from '../runner/verdict/floors.ts'
import type { Ending } from '../runner/verdict/verdict.ts'
import { type Campaign, findCampaign } from './campaigns.ts'
import { type CampaignDatabase, WORKER_PREFIX } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { failuresOf, type StoredFailure } from './failures.ts'
import { seedsIn } from './range.ts'
import { replayLine } from './replay.ts'
import type { SeedPlan } from './seedRunner.ts'

/** Describes what a campaign came to: a function of its seeds and versions, whoever ran them, in which order and in which ranges. */
export interface CampaignReport extends Reached {
  readonly schema: 'plumbline-campaign/1'
  readonly suite: SeedPlan['suite']
  /** The known-broken service that was run; null: the reference. */
  readonly defect: string | null
  /** The service that was run instead, as it was named; null: one of ours. */
  readonly target: string | null
  /** The patterns of the cases that were run; empty: all. */
  readonly only: readonly string[]
  readonly seeds: { readonly first: number; readonly last: number; readonly done: number }
  /** SHA-256 over the digests of all traces in order of seeds, in hex; null while seeds are left. */
  readonly root: string | null
  /** Each failure once, shrunk, with the command that runs its lowest seed again. */
  readonly failures: readonly (StoredFailure & { readonly replay: string })[]
}

/** Describes where a campaign stands, and who works on it. */
export interface CampaignStatus extends Reached {
  readonly campaign: Campaign & { readonly seedsDone: number }
  /** Seeds a second, over the last minute; null before the first range of that minute, and once it is finished. */
  readonly seedsPerS: number | null
  /**
   * Seconds until it ends: with its last seed at that rate, or with its budget, whichever is sooner; null where neither is
   * known, and where it has ended.
   */
  readonly leftS: number | null
  readonly machines: readonly MachineStatus[]
  readonly failures: readonly StoredFailure[]
}

/** Describes what the finished ranges of a campaign came to together. */
interface Reached {
  /** As far as it is: a campaign with seeds left conforms to nothing yet. */
  readonly verdict: Exclude<Ending, 'usage'>
  /** Steps that were run; for suites of cases, how many cases there were. */
  readonly steps: number
  /** How often each state, or class of cases, was met. */
  readonly states: Readonly<Record<string, number>>
  /** What all of its seeds together have to meet, and what those that are done have met. */
  readonly floors: readonly Floor[]
}

/** Describes the ranges and seeds that a machine finished, and what it has in hand. */
interface MachineStatus {
  readonly machine: string
  readonly ranges: number
  readonly seeds: number
  /** Ranges in hand, as the connections of its workers show them; those of another campaign count too. */
  readonly inHand: number
}

/** Returns what the seeds of a whole campaign must have met together. */
export type DemandOf = (seeds: {
  readonly plan: SeedPlan
  readonly count: number
  readonly labels: ReadonlyMap<string, number>
  /** True if any of them fails. */
  readonly hasFailed: boolean
}) => Readonly<Record<string, number>>

/** How a report calls Plumbline: the same words for whoever reads it. */
const COMMAND = 'npx plumbline'
const RATE_OVER_S = 60
const MS_PER_S = 1_000
const DONE = sql.table(`${SCHEMA}.done`)

/** Returns the report of a campaign, as far as it is. @throws {NoCampaignError} */
export function readReport(
  database: Pick<CampaignDatabase, 'db'>,
  id: string,
  demandOf: DemandOf,
): Promise<CampaignReport> {
  return atOneMoment(database, async (db) => {
    const { campaign, failures, machines: _, ...reached } = await readDone(db, id, demandOf)
    const { plan, firstSeed, lastSeed, seedsDone } = campaign
    const isWhole = seedsDone === seedsIn(campaign)
    return {
      schema: 'plumbline-campaign/1',
      suite: plan.suite,
      defect: plan.defect ?? null,
      target: plan.target?.named ?? null,
      only: plan.only ?? [],
      seeds: { first: firstSeed, last: lastSeed, done: seedsDone },
      root: isWhole ? await rootOf(db, id) : null,
      ...{ ...reached, floors: isWhole ? reached.floors : [] },
      failures: failures.map((failure) => ({ ...failure, replay: replayLine(plan, failure, COMMAND) })),
    }
  })
}

/** Returns the status of a campaign, all of it of one moment. @throws {NoCampaignError} */
export function readStatus(
  database: Pick<CampaignDatabase, 'db'>,
  id: string,
  demandOf: DemandOf,
): Promise<CampaignStatus> {
  return atOneMoment(database, async (db) => {
    const { machines, ...read } = await readDone(db, id, demandOf)
    const pace = read.campaign.isFinished ? { seedsPerS: null, ranMs: null } : await paceOf(db, id)
    const { seedsPerS } = pace
    const inHand = await inHandOf(db)
    const finished = new Map(machines.map((each) => [each.machine, each]))
    return {
      ...read,
      seedsPerS,
      leftS: leftOf(read.campaign, pace),
      machines: [...new Set([...finished.keys(), ...inHand.keys()])].sort().map((machine) => ({
        machine,
        ranges: finished.get(machine)?.ranges ?? 0,
        seeds: finished.get(machine)?.seeds ?? 0,
        inHand: inHand.get(machine) ?? 0,
      })),
    }
  })
}

/** A range that is finished meanwhile is read with all that it found, or not at all. */
function atOneMoment<T>(
  { db }: Pick<CampaignDatabase, 'db'>,
  read: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

/** Reads what the finished ranges came to, and who finished them. */
async function readDone(db: Kysely<Tables>, id: string, demandOf: DemandOf) {
  const campaign = await findCampaign({ db }, id)
  const failures = await failuresOf(db, id)
  const machines = await db
    .selectFrom('done')
    .select('machine')
    .select(sql<number>`count(*)::integer`.as('ranges'))
    .select(sql<number>`sum(last_seed - first_seed + 1)::integer`.as('seeds'))
    .select(sql<number>`sum(steps)::double precision`.as('steps'))
    .where('campaignId', '=', id)
    .groupBy('machine')
    .execute()
  const { rows: states } = await sql<{ label: string; times: number }>`
    select label, sum(times::double precision) as times from ${DONE}, jsonb_each_text(labels) as each(label, times)
    where campaign_id = ${id} group by label order by label collate "C"`.execute(db)
  const labels = new Map(states.map(({ label, times }) => [label, times]))
  const seedsDone = sum(machines.map(({ seeds }) => seeds))
  const count = seedsIn(campaign)
  const hasFailed = failures.some(({ case: { status } }) => status === 'fail')
  const floors = floorsOf(demandOf({ plan: campaign.plan, count, labels, hasFailed }), labels)
  const isGap = seedsDone < count || missedFloors(floors).length > 0 || failures.length > 0
  const open = isGap ? 'inconclusive' : 'conforms'
  return {
    campaign: { ...campaign, seedsDone },
    verdict: hasFailed ? ('does-not-conform' as const) : (open satisfies Ending as Reached['verdict']),
    steps: sum(machines.map(({ steps }) => steps)),
    states: Object.fromEntries(labels),
    floors,
    failures,
    machines,
  }
}

async function rootOf(db: Kysely<Tables>, id: string): Promise<string> {
  const { root } = await db
    .selectFrom('done')
    .select(sql<string>`encode(sha256(string_agg(digests, '' order by first_seed)), 'hex')`.as('root'))
    .where('campaignId', '=', id)
    .executeTakeFirstOrThrow()
  return root
}

/** Returns how fast a campaign is, and how long it runs already; null where it has not begun. */
function paceOf(db: Kysely<Tables>, id: string) {
  const recent = sql`completed_at > clock_timestamp() - ${RATE_OVER_S} * interval '1 s'`
  const since = (began: ReturnType<typeof sql>) =>
    sql`extract(epoch from clock_timestamp() - ${began})::double precision`
  return db
    .selectFrom('done')
    .select(
      sql<number | null>`sum(last_seed - first_seed + 1) filter (where ${recent})
        / least(${RATE_OVER_S}::double precision, ${since(sql`min(began_at) filter (where ${recent})`)})`.as(
        'seedsPerS',
      ),
    )
    .select(sql<number | null>`${since(sql`min(began_at)`)} * ${MS_PER_S}`.as('ranMs'))
    .where('campaignId', '=', id)
    .executeTakeFirstOrThrow()
}

function leftOf(
  campaign: CampaignStatus['campaign'],
  { seedsPerS, ranMs }: { readonly seedsPerS: number | null; readonly ranMs: number | null },
): number | null {
  const { isFinished, isStopped, seedsDone, budgetMs } = campaign
  if (isFinished || isStopped) return null
  const known = [
    ...(seedsPerS === null ? [] : [(seedsIn(campaign) - seedsDone) / seedsPerS]),
    ...(budgetMs === null || ranMs === null ? [] : [Math.max(0, budgetMs - ranMs) / MS_PER_S]),
  ]
  return known.length === 0 ? null : Math.min(...known)
}

/** Returns how many ranges each machine has in hand. */
async function inHandOf(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; ranges: number }>`
    select application_name as name, count(*)::integer as ranges from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
      and application_name like ${`${WORKER_PREFIX}%`} group by application_name`.execute(db)
  return new Map(rows.map(({ name, ranges }) => [name.slice(WORKER_PREFIX.length), ranges]))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
