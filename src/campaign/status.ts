import { sql } from 'kysely'
import { type Campaign, findCampaign } from './campaigns.ts'
import { type CampaignDatabase, WORKER_PREFIX } from './database/open.ts'
import { SCHEMA } from './database/schema.ts'
import { failuresOf, type StoredFailure } from './failureStore.ts'
import { seedsIn } from './range.ts'
import { type Steering, steeringOf } from './steeredRounds.ts'

/** Where a campaign stands, and who works on it. */
export interface CampaignStatus {
  readonly campaign: Campaign
  /** Seeds a second, over the last minute; null before the first range of that minute. */
  readonly seedsPerS: number | null
  /** Seconds that are left at that rate; null where it is unknown. */
  readonly leftS: number | null
  /** By machine: the ranges and seeds that it finished, and those that it has in hand now. */
  readonly machines: readonly MachineStatus[]
  readonly failures: readonly StoredFailure[]
  /** Which mixes got seeds, and what they reached; null where the seeds decide alone. */
  readonly steering: Steering | null
}

interface MachineStatus {
  readonly machine: string
  readonly ranges: number
  readonly seeds: number
  /** Ranges in hand, as the connections of its workers show them; those of another campaign count too. */
  readonly inHand: number
}

const RATE_OVER_S = 60

/** Reads the status of a campaign. @throws {NoCampaignError} */
export async function statusOf(database: CampaignDatabase, id: string): Promise<CampaignStatus> {
  const { db } = database
  const campaign = await findCampaign(database, id)
  const { rows: done } = await sql<{ machine: string; ranges: number; seeds: number }>`
    select machine, count(*)::int as ranges, sum(last_seed - first_seed + 1)::int as seeds
    from ${sql.table(`${SCHEMA}.ranges`)} where campaign_id = ${id} group by machine`.execute(db)
  const { rows: hands } = await sql<{ name: string; ranges: number }>`
    select application_name as name, count(*)::int as ranges from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'
      and application_name like ${`${WORKER_PREFIX}%`} group by application_name`.execute(db)
  const { rows: rates } = await sql<{ rate: number | null }>`
    select (sum(last_seed - first_seed + 1) / least(${RATE_OVER_S}::float8,
      extract(epoch from clock_timestamp() - min(completed_at - duration_ms * interval '1 ms'))::float8)) as rate
    from ${sql.table(`${SCHEMA}.ranges`)}
    where campaign_id = ${id} and completed_at > clock_timestamp() - ${RATE_OVER_S} * interval '1 s'`.execute(
    db,
  )
  const seedsPerS = campaign.isFinished ? null : (rates[0]?.rate ?? null)
  const left = seedsIn(campaign) - campaign.seedsDone
  const inHand = new Map(hands.map(({ name, ranges }) => [name.slice(WORKER_PREFIX.length), ranges]))
  const finished = new Map(done.map((row) => [row.machine, row]))
  const machines = [...new Set([...finished.keys(), ...inHand.keys()])].sort()
  return {
    campaign,
    seedsPerS,
    leftS: seedsPerS === null ? null : left / seedsPerS,
    machines: machines.map((machine) => ({
      machine,
      ranges: finished.get(machine)?.ranges ?? 0,
      seeds: finished.get(machine)?.seeds ?? 0,
      inHand: inHand.get(machine) ?? 0,
    })),
    failures: await failuresOf(database, id),
    steering: await steeringOf(db, campaign),
  }
}
