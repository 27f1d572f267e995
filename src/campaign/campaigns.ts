import { type Kysely, sql } from 'kysely'
import { UsageError } from '../spec/errors.ts'
import { type CampaignDatabase, createQueue, type Inside, within } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import type { Versions } from './machine.ts'
import { cutRanges, type SeedRange } from './range.ts'
import type { SeedPlan } from './seedRunner.ts'

/** The options of a new campaign. */
export interface CampaignOrder extends SeedRange {
  readonly plan: SeedPlan
  readonly versions: Versions
  /** True if it ends at the lowest seed that fails. Default: it goes on. */
  readonly stopOnFailure?: boolean
  /** Time after which it ends with the seeds that are done. Default: it ends with its last seed. */
  readonly budgetMs?: number | null
}

/** A campaign with its current state. */
export interface Campaign extends Required<CampaignOrder> {
  readonly id: string
  readonly isStopped: boolean
  /** Reason why it stopped by itself; null: it did not. */
  readonly problem: string | null
  readonly isFinished: boolean
}

/** Returns the name of the queue of a campaign's ranges. */
export const queueOf = (id: string): string => `ranges-${id}`

/** Retries of a range that cannot be run, before the campaign stops. */
const RETRIES = 3
/** The queue drops jobs that wait longer. */
const KEPT_MINUTES = 10 * 365 * 24 * 60
/** Ranges in the queue, waiting or running: more than any number of machines needs. */
const PLANNED_AHEAD = 1_000

/**
 * Starts a campaign in one transaction: from then on any worker takes its ranges.
 *
 * @returns its id.
 */
export async function startCampaign(
  { db, queue }: CampaignDatabase,
  { plan, versions, stopOnFailure = false, budgetMs = null, ...seeds }: CampaignOrder,
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('campaigns')
      .values({
        ...{ ...seeds, stopOnFailure, budgetMs, plannedTo: seeds.firstSeed - 1 },
        plan: JSON.stringify(plan),
        versions: JSON.stringify(versions),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await createQueue(transaction, queueOf(id), { retryLimit: RETRIES, retentionMinutes: KEPT_MINUTES })
    await planRanges({ db: transaction, queue }, id, PLANNED_AHEAD)
    return id
  })
}

/** Puts the next ranges of a campaign into the queue, at most `count`. Its row must be locked, or new. */
export async function planRanges({ db, queue }: Inside, id: string, count = 1): Promise<void> {
  const { plannedTo, ...campaign } = await db
    .selectFrom('campaigns')
    .select(['firstSeed', 'lastSeed', 'plan', 'plannedTo'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const ranges = cutRanges(campaign, plannedTo, count, campaign.plan.suite === 'simulate')
  const last = ranges.at(-1)
  if (last === undefined) return
  const jobs = ranges.map((range) => ({ id: jobId(range), name: queueOf(id), data: range }))
  await queue.insert(jobs, within(db))
  await db.updateTable('campaigns').set({ plannedTo: last.lastSeed }).where('id', '=', id).execute()
}

/** Returns an id in the order of seeds: jobs created at the same time are taken in the order of their ids. */
function jobId({ firstSeed }: SeedRange): string {
  return `00000000-0000-4000-8000-${firstSeed.toString(16).padStart(12, '0')}`
}

/** @throws {UsageError} no campaign has this id. */
export async function findCampaign({ db }: Pick<CampaignDatabase, 'db'>, id: string): Promise<Campaign> {
  const campaigns = await campaignsIn(db).execute()
  const found = campaigns.find((each) => each.id === id)
  if (found !== undefined) return found
  const known = campaigns.map((each) => each.id).join(', ')
  throw new UsageError(
    `this database holds no campaign ${id}`,
    known === '' ? 'It holds none; start one.' : `It holds ${known}.`,
  )
}

/** Returns the campaigns that workers may work on, the oldest first. */
export function openCampaignsOf({ db }: CampaignDatabase): Promise<readonly Campaign[]> {
  return campaignsIn(db).where('isStopped', '=', false).where('isFinished', '=', false).execute()
}

/** Returns every campaign of the database with the number of finished seeds, the oldest first. */
export function listCampaigns({
  db,
}: CampaignDatabase): Promise<readonly (Campaign & { readonly seedsDone: number })[]> {
  return campaignsIn(db)
    .select(
      sql<number>`(select coalesce(sum(last_seed - first_seed + 1), 0)::integer
        from ${sql.table(`${SCHEMA}.done`)} where campaign_id = campaigns.id)`.as('seedsDone'),
    )
    .execute()
}

function campaignsIn(db: Kysely<Tables>) {
  return db
    .selectFrom('campaigns')
    .select(['id', 'plan', 'firstSeed', 'lastSeed', 'versions', 'stopOnFailure', 'budgetMs'])
    .select(['isStopped', 'problem', 'isFinished'])
    .orderBy('createdAt')
    .orderBy('id')
}

/** Stops a campaign: workers finish their current ranges and take no more. @throws {UsageError} no campaign has this id. */
export async function stopCampaign(database: CampaignDatabase, id: string): Promise<void> {
  await findCampaign(database, id)
  await database.db.updateTable('campaigns').set({ isStopped: true }).where('id', '=', id).execute()
}
