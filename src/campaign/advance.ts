import { sql, type Transaction } from 'kysely'
import { type Campaign, planRanges, queueOf } from './campaigns.ts'
import { type CampaignDatabase, within } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { isShrinkingDue, takeDueFailures } from './failureStore.ts'
import { seedsIn } from './range.ts'
import type { CampaignFailure } from './seedRunner.ts'

/** A job to shrink a failure. */
export type ShrinkJob = Pick<CampaignFailure, 'fingerprint' | 'seed'>

/**
 * What follows from the results of a campaign so far: the jobs to shrink the failures that are certain, the next ranges, and
 * its end, once every seed is done and every failure shrunk.
 *
 * @param campaign as it is now; its row must be locked.
 */
export async function advance(
  { db, queue }: { readonly db: Transaction<Tables>; readonly queue: CampaignDatabase['queue'] },
  campaign: Campaign,
): Promise<void> {
  const { id } = campaign
  const completeTo = await completeSeed(db, campaign)
  const due = await takeDueFailures(db, { id, completeTo })
  const name = queueOf(id)
  const jobs = due.map((failure) => ({ id: jobId(failure), name, data: failure }))
  if (jobs.length > 0) await queue.insert(jobs, within(db))
  await planRanges({ db, queue }, campaign)
  const isDone = campaign.seedsDone === seedsIn(campaign) && !(await isShrinkingDue(db, id))
  await db
    .updateTable('campaigns')
    .set({
      complete_to: completeTo,
      finished_at: isDone ? sql`coalesce(finished_at, clock_timestamp())` : null,
    })
    .where('id', '=', id)
    .execute()
}

/** The last seed up to which every one is done. */
async function completeSeed(
  db: Transaction<Tables>,
  { id, completeTo }: Pick<Campaign, 'id' | 'completeTo'>,
): Promise<number> {
  const ranges = sql.table(`${SCHEMA}.ranges`)
  const { rows } = await sql<{ last: number | null }>`
    with recursive complete as (
      select last_seed from ${ranges} where campaign_id = ${id} and first_seed = ${completeTo + 1}
      union all
      select next.last_seed from ${ranges} next join complete on next.first_seed = complete.last_seed + 1
      where next.campaign_id = ${id}
    ) select max(last_seed) as last from complete`.execute(db)
  return rows[0]?.last ?? completeTo
}

/** Several failures of one seed are told apart by their fingerprints, of 16 hexadecimal digits. */
function jobId({ fingerprint }: ShrinkJob): string {
  return `00000001-0000-4000-${fingerprint.slice(0, 4)}-${fingerprint.slice(4).padEnd(12, '0')}`
}
