import { type Selectable, sql, type Transaction } from 'kysely'
import { sumLabels } from '../runner/verdict/floors.ts'
import { planRanges } from './campaigns.ts'
import type { Inside } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import type { SeedFailure, SeedOutcome } from './seedRunner.ts'

/** The result of a range of seeds. It depends on its seeds and the versions only. */
export interface RangeResult {
  readonly firstSeed: number
  readonly lastSeed: number
  readonly failures: readonly SeedFailure[]
}

/** Returns the row of a campaign, locked until the transaction ends. Later queries see everything committed before the lock. */
function lockCampaign(db: Transaction<Tables>, id: string): Promise<Selectable<Tables['campaigns']>> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Stores the outcomes of the first seeds of a range, in order. If the range is stored already, does nothing: its result would be
 * the same.
 */
export async function storeRange(
  db: Transaction<Tables>,
  { id, machine }: { readonly id: string; readonly machine: string },
  firstSeed: number,
  outcomes: readonly SeedOutcome[],
): Promise<RangeResult> {
  const lastSeed = firstSeed + outcomes.length - 1
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  await db
    .insertInto('ranges')
    .values({
      ...{ campaignId: id, firstSeed, lastSeed, machine },
      steps: outcomes.reduce((sum, { steps }) => sum + steps, 0),
      labels: JSON.stringify(Object.fromEntries(sumLabels(outcomes.map(({ labels }) => labels)))),
      digests: Buffer.from(outcomes.map(({ digest }) => digest).join(''), 'hex'),
      failures: JSON.stringify(failures),
    })
    .onConflict((conflict) => conflict.columns(['campaignId', 'firstSeed']).doNothing())
    .execute()
  return { firstSeed, lastSeed, failures }
}

/**
 * Updates a campaign after a range: it may end early, its next range is planned, and it has finished once every seed is done.
 * Locks the campaign, so concurrent calls wait.
 *
 * @param stored the range that was added to the campaign; null: none was.
 */
export async function advance({ db, queue }: Inside, id: string, stored: RangeResult | null): Promise<void> {
  const { stopOnFailure, budgetMs } = await lockCampaign(db, id)
  const campaign = db.updateTable('campaigns').where('id', '=', id)
  if (stopOnFailure && stored !== null && stored.failures.length > 0)
    await campaign.set({ lastSeed: sql`least(last_seed, ${stored.lastSeed}::integer)` }).execute()
  const done = db.selectFrom('done').where('campaignId', '=', id)
  if (budgetMs !== null)
    await campaign
      .set({ lastSeed: done.select(sql<number>`max(last_seed)`.as('last')) })
      .where(
        sql<boolean>`clock_timestamp() >= ${done.select(sql`min(began_at) + ${budgetMs} * interval '1 ms'`.as('end'))}`,
      )
      .execute()
  if (stored !== null) await planRanges({ db, queue }, id)
  const seeds = done.select(sql<number>`sum(last_seed - first_seed + 1)`.as('seeds'))
  await campaign
    .set({ isFinished: true })
    .whereRef('plannedTo', '>=', 'lastSeed')
    .where(sql<boolean>`last_seed - first_seed + 1 = ${seeds}`)
    .execute()
}
