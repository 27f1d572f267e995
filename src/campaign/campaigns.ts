import { type Kysely, sql } from 'kysely'
import { UsageError } from '../spec/errors.ts'
import { type CampaignDatabase, createQueue, type Inside, within } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import type { Versions } from './machine.ts'
import { cutRanges, type SeedRange } from './range.ts'
import type { SeedPlan } from './seedRunner.ts'

/** Describes what a campaign is started with. */
export interface CampaignOrder extends SeedRange {
  readonly plan: SeedPlan
  readonly versions: Versions
  /** True if it ends at the lowest seed that fails. Default: it goes on. */
  readonly stopOnFailure?: boolean
  /** After so long it ends with the seeds that are done. Default: it ends with its last seed. */
  readonly budgetMs?: number | null
}

/** A campaign, as it stands. */
export interface Campaign extends Required<CampaignOrder> {
  readonly id: string
  readonly isStopped: boolean
  /** Why it was stopped, where nobody asked for that. */
  readonly problem: string | null
  readonly isFinished: boolean
}

/** Returns the queue of a campaign's ranges. */
export const queueOf = (id: string): string => `ranges-${id}`

/** A range that cannot be run is tried again so many times; then the campaign stops. */
const RETRIES = 3
/** The queue forgets what waits for longer. */
const KEPT_MINUTES = 10 * 365 * 24 * 60
/** Ranges that wait or run: more than any machines need. */
const PLANNED_AHEAD = 1_000

/**
 * Starts a campaign: from now on any worker takes its ranges. All of it or nothing is in the database.
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

/** Puts the next ranges of a campaign into the queue, so many where there are. Its row must be locked, or new. */
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

/** Jobs of one time are taken in the order of their ids, so this is the order of seeds. */
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

/** Returns every campaign of the database with how many of its seeds are done, the oldest first. */
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

/** No worker takes a range of it any more; those in hand are finished. @throws {UsageError} */
export async function stopCampaign(database: CampaignDatabase, id: string): Promise<void> {
  await findCampaign(database, id)
  await database.db.updateTable('campaigns').set({ isStopped: true }).where('id', '=', id).execute()
}
