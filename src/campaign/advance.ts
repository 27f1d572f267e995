import { type Selectable, sql, type Transaction } from 'kysely'
import { type Campaign, campaignFrom, planRanges, queueOf } from './campaigns.ts'
import { type CampaignDatabase, within } from './database/open.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { takeDueFailures } from './failureStore.ts'
import type { CampaignFailure } from './seedRunner.ts'

/** A failure is shrunk before the next range is run: whoever looks into it needs the smallest case soon. Ranges have none. */
const SHRINK_PRIORITY = 1

/** A job to shrink a failure. */
export type ShrinkJob = Pick<CampaignFailure, 'fingerprint' | 'seed'>

/**
 * What follows from the results of a campaign so far: the jobs to shrink the failures that are certain, the next ranges, and
 * its end, once every seed is done and every failure shrunk.
 *
 * @param id of a campaign whose row is locked: everybody else who adds a result to it waits.
 */
export async function advance(
  { db, queue }: { readonly db: Transaction<Tables>; readonly queue: CampaignDatabase['queue'] },
  id: string,
): Promise<void> {
  const { campaign, hasDue } = await settle(db, id)
  const due = hasDue ? await takeDueFailures(db, campaign) : []
  const name = queueOf(id)
  const jobs = due.map((failure) => ({
    ...{ id: jobId(failure), name, data: failure },
    priority: SHRINK_PRIORITY,
  }))
  if (jobs.length > 0) await queue.insert(jobs, within(db))
  await planRanges({ db, queue }, campaign)
}

/** Writes up to which seed every one is done, and whether everything is. In one statement, for which everybody else waits. */
async function settle(
  db: Transaction<Tables>,
  id: string,
): Promise<{ readonly campaign: Campaign; readonly hasDue: boolean }> {
  const ranges = sql.table(`${SCHEMA}.ranges`)
  const failures = sql.table(`${SCHEMA}.failures`)
  const { rows } = await sql<Selectable<Tables['campaigns']> & { readonly has_due: boolean }>`
    with recursive complete (last_seed) as (
      select complete_to from ${sql.table(`${SCHEMA}.campaigns`)} where id = ${id}
      union all
      select next.last_seed from ${ranges} next join complete on next.first_seed = complete.last_seed + 1
      where next.campaign_id = ${id}
    )
    update ${sql.table(`${SCHEMA}.campaigns`)} campaign
    set complete_to = (select max(last_seed) from complete),
      finished_at = case when seeds_done = campaign.last_seed - first_seed + 1 and not exists (
        select 1 from ${failures} where campaign_id = ${id} and shrunk is null and example ->> 'status' = 'fail'
      ) then coalesce(finished_at, clock_timestamp()) end
    where id = ${id}
    returning *, exists (
      select 1 from ${failures} where campaign_id = ${id} and not queued and seed <= complete_to
    ) as has_due`.execute(db)
  const [row] = rows as [(typeof rows)[number]]
  return { campaign: campaignFrom(row), hasDue: row.has_due }
}

/** Several failures of one seed are distinguished by their fingerprints, of 16 hexadecimal digits. */
function jobId({ fingerprint }: ShrinkJob): string {
  return `00000001-0000-4000-${fingerprint.slice(0, 4)}-${fingerprint.slice(4).padEnd(12, '0')}`
}
