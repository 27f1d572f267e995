import { type Selectable, sql, type Transaction } from 'kysely'
import { UsageError } from '../spec/errors.ts'
import { type CampaignDatabase, createQueue, within } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { cutRanges, FIRST_SEEDS, type Progress, type SeedRange } from './range.ts'
import type { SeedPlan } from './seedRunner.ts'
import { checkVersions, type Versions } from './versions.ts'

/** A campaign, as it stands. */
export interface Campaign extends Progress {
  readonly id: string
  readonly plan: SeedPlan
  readonly versions: Versions
  /** True if it ends at the lowest seed that fails. */
  readonly stopOnFailure: boolean
  /** After so long it ends with the seeds that are done; null: with its last seed. */
  readonly budgetMs: number | null
  /** Up to this seed every one is done. */
  readonly completeTo: number
  readonly isStopped: boolean
  /** Why it was stopped, where nobody asked for that. */
  readonly problem: string | null
  readonly isFinished: boolean
}

/** No campaign has this id. */
class NoCampaignError extends UsageError {
  override readonly name = 'NoCampaignError'
  constructor(id: string, known: readonly string[]) {
    super(
      `this database holds no campaign ${id}`,
      known.length === 0 ? 'It holds none; start one.' : `It holds ${known.join(', ')}.`,
    )
  }
}

/** Returns the queue of a campaign's ranges. */
export const queueOf = (id: string): string => `ranges-${id}`

/** A range that cannot be run is tried again so many times; then the campaign stops. */
const RETRIES = 3
/** The queue forgets what waits for longer. */
const KEPT_MINUTES = 10 * 365 * 24 * 60

/** Describes what a campaign is started with. */
export interface CampaignOrder extends SeedRange {
  readonly plan: SeedPlan
  readonly versions: Versions
  /** Default: it goes on. */
  readonly stopOnFailure?: boolean
  /** Default: it ends with its last seed. */
  readonly budgetMs?: number
}

/**
 * Starts a campaign: from now on any worker takes its ranges. All of it or nothing is in the database.
 *
 * @returns its id.
 */
export async function startCampaign(
  { db, queue }: CampaignDatabase,
  { firstSeed, lastSeed, plan, versions, stopOnFailure = false, budgetMs }: CampaignOrder,
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto('campaigns')
      .values({
        id: sql<string>`substr(gen_random_uuid()::text, 1, 8)`,
        plan: JSON.stringify(plan),
        first_seed: firstSeed,
        last_seed: lastSeed,
        versions: JSON.stringify(versions),
        stop_on_failure: stopOnFailure,
        budget_ms: budgetMs ?? null,
        planned_to: firstSeed - 1,
        complete_to: firstSeed - 1,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const campaign = campaignFrom(row)
    await createQueue(transaction, queueOf(campaign.id), {
      retryLimit: RETRIES,
      retentionMinutes: KEPT_MINUTES,
    })
    await planRanges({ db: transaction, queue }, campaign)
    return campaign.id
  })
}

/** Puts the next ranges of a campaign into the queue, where too few wait. Its row must be locked, or new. */
export async function planRanges(
  { db, queue }: { readonly db: Transaction<Tables>; readonly queue: CampaignDatabase['queue'] },
  campaign: Campaign,
): Promise<void> {
  // The cases of one seed may take as long as a range shall.
  const ranges = cutRanges(campaign, campaign.plan.suite === 'simulate' ? FIRST_SEEDS : 1)
  const last = ranges.at(-1)
  if (last === undefined) return
  const jobs = ranges.map((range) => ({ id: jobId(range), name: queueOf(campaign.id), data: range }))
  await queue.insert(jobs, within(db))
  await db.updateTable('campaigns').set({ planned_to: last.lastSeed }).where('id', '=', campaign.id).execute()
}

/** Jobs of one time are taken in the order of their ids, so this is the order of seeds. */
function jobId({ firstSeed }: SeedRange): string {
  return `00000000-0000-4000-8000-${firstSeed.toString(16).padStart(12, '0')}`
}

/** @throws {NoCampaignError} */
export async function findCampaign({ db }: Pick<CampaignDatabase, 'db'>, id: string): Promise<Campaign> {
  const row = await db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst()
  if (row !== undefined) return campaignFrom(row)
  const known = await db.selectFrom('campaigns').select('id').orderBy('created_at').execute()
  throw new NoCampaignError(
    id,
    known.map(({ id: each }) => each),
  )
}

/** Returns the campaigns that workers may work on, the oldest first. */
export async function openCampaignsOf({ db }: CampaignDatabase): Promise<readonly Campaign[]> {
  const rows = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('stopped', '=', false)
    .where('finished_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(campaignFrom)
}

/** Returns every campaign of the database, the oldest first. */
export async function listCampaigns({ db }: CampaignDatabase): Promise<readonly Campaign[]> {
  const rows = await db.selectFrom('campaigns').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(campaignFrom)
}

/** No worker takes a range of it any more; those in hand are finished. @throws {NoCampaignError} */
export async function stopCampaign(database: CampaignDatabase, id: string): Promise<void> {
  await findCampaign(database, id)
  await database.db.updateTable('campaigns').set({ stopped: true }).where('id', '=', id).execute()
}

/** Lets workers take its ranges again. @throws {NoCampaignError} {OtherVersionsError} */
export async function resumeCampaign(database: CampaignDatabase, id: string, own: Versions): Promise<void> {
  checkVersions(own, await findCampaign(database, id))
  await database.db
    .updateTable('campaigns')
    .set({ stopped: false, problem: null })
    .where('id', '=', id)
    .execute()
}

/** Returns a row of the table of campaigns. */
export function campaignFrom(row: Selectable<Tables['campaigns']>): Campaign {
  return {
    id: row.id,
    plan: row.plan,
    firstSeed: row.first_seed,
    lastSeed: row.last_seed,
    versions: row.versions,
    stopOnFailure: row.stop_on_failure,
    budgetMs: row.budget_ms,
    completeTo: row.complete_to,
    plannedTo: row.planned_to,
    seedsDone: row.seeds_done,
    rangesDone: row.ranges_done,
    busyMs: row.busy_ms,
    isStopped: row.stopped,
    problem: row.problem,
    isFinished: row.finished_at !== null,
  }
}
