import { type Kysely, sql } from 'kysely'
import type { Floor } from '../reporting/results.ts'
import { floorsOf } from '../runner/verdict/floors.ts'
import { type Campaign, findCampaign } from './campaigns.ts'
import { type CampaignDatabase, WORKER_PREFIX } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { failuresOf, type StoredFailure } from './failureStore.ts'
import { seedsIn } from './range.ts'
import { type CampaignReport, type DemandOf, verdictOf } from './report.ts'
import { machineSumsOf, statesOf } from './sums.ts'

/** Where a campaign stands, and who works on it. */
export interface CampaignStatus {
  readonly campaign: Campaign
  /** Seeds a second, over the last minute; null before the first range of that minute. */
  readonly seedsPerS: number | null
  /**
   * Seconds until it ends: with its last seed at that rate, or with its budget, whichever is sooner; null where neither is
   * known, and where it has ended.
   */
  readonly leftS: number | null
  /** As of its report now; a campaign with seeds left conforms to nothing yet. */
  readonly verdict: CampaignReport['verdict']
  readonly coverage: Coverage
  /** By machine: the ranges and seeds that it finished, and those that it has in hand now. */
  readonly machines: readonly MachineStatus[]
  readonly failures: readonly StoredFailure[]
}

/** Describes what the finished ranges of a campaign met. */
interface Coverage {
  /** How often each state was met. */
  readonly states: Readonly<Record<string, number>>
  /** What all of its seeds together have to meet, and what those that are done have met. */
  readonly floors: readonly Floor[]
}

interface MachineStatus {
  readonly machine: string
  readonly ranges: number
  readonly seeds: number
  /** Ranges in hand, as the connections of its workers show them; those of another campaign count too. */
  readonly inHand: number
}

const RATE_OVER_S = 60
const MS_PER_S = 1_000
const CAMPAIGNS = sql.table(`${SCHEMA}.campaigns`)
const RANGES = sql.table(`${SCHEMA}.ranges`)

/**
 * Reads the status of a campaign, all of it of one moment.
 *
 * @param demandOf what all of its seeds have to meet together.
 * @param before an earlier status of the campaign: what has not changed since is not read again.
 * @throws {NoCampaignError}
 */
export async function statusOf(
  database: Pick<CampaignDatabase, 'db'>,
  id: string,
  demandOf: DemandOf,
): Promise<CampaignStatus> {
  const snapshot = database.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (db) => {
    const campaign = await findCampaign({ db }, id)
    const failures = await failuresOf({ db }, id)
    const states = await statesOf(db, id)
    const hasFailed = failures.some(({ status }) => status === 'fail')
    const demanded = demandOf({ plan: campaign.plan, count: seedsIn(campaign), labels: states, hasFailed })
    const floors = floorsOf(demanded, states)
    const seedsPerS = campaign.isFinished ? null : await rateOf(db, id)
    return {
      campaign,
      seedsPerS,
      leftS: leftOf(campaign, seedsPerS, await budgetLeftOf(db, id)),
      verdict: verdictOf({ isWhole: campaign.seedsDone === seedsIn(campaign), floors, failures }),
      coverage: { states: Object.fromEntries(states), floors },
      machines: await machinesOf(db, id),
      failures,
    }
  })
}

async function rateOf(db: Kysely<Tables>, id: string): Promise<number | null> {
  const { rows } = await sql<{ rate: number | null }>`
    select (sum(last_seed - first_seed + 1) / least(${RATE_OVER_S}::float8,
      extract(epoch from clock_timestamp() - min(completed_at - duration_ms * interval '1 ms'))::float8)) as rate
    from ${RANGES}
    where campaign_id = ${id} and completed_at > clock_timestamp() - ${RATE_OVER_S} * interval '1 s'`.execute(
    db,
  )
  return rows[0]?.rate ?? null
}

/** Seconds that are left of its budget; null where it has none, or has not begun. */
async function budgetLeftOf(db: Kysely<Tables>, id: string): Promise<number | null> {
  const { rows } = await sql<{ left: number | null }>`
    select greatest(0, budget_ms / ${MS_PER_S}::float8
      - extract(epoch from clock_timestamp() - began_at)::float8) as left
    from ${CAMPAIGNS} where id = ${id} and budget_ms is not null and began_at is not null`.execute(db)
  return rows[0]?.left ?? null
}

function leftOf(campaign: Campaign, seedsPerS: number | null, budgetLeftS: number | null): number | null {
  if (campaign.isFinished || campaign.isStopped) return null
  const seedsLeftS = seedsPerS === null ? null : (seedsIn(campaign) - campaign.seedsDone) / seedsPerS
  const known = [seedsLeftS, budgetLeftS].filter((each) => each !== null)
  return known.length === 0 ? null : Math.min(...known)
}

async function machinesOf(db: Kysely<Tables>, id: string): Promise<readonly MachineStatus[]> {
  const done = await machineSumsOf(db, id)
  const { rows: claims } = await sql<{ name: string; ranges: number }>`
    select application_name as name, count(*)::int as ranges from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
      and application_name like ${`${WORKER_PREFIX}%`} group by application_name`.execute(db)
  const inHand = new Map(claims.map(({ name, ranges }) => [name.slice(WORKER_PREFIX.length), ranges]))
  const finished = new Map(done.map((row) => [row.machine, row]))
  return [...new Set([...finished.keys(), ...inHand.keys()])].sort().map((machine) => ({
    machine,
    ranges: finished.get(machine)?.ranges ?? 0,
    seeds: finished.get(machine)?.seeds ?? 0,
    inHand: inHand.get(machine) ?? 0,
  }))
}
