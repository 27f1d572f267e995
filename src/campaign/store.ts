import { type Selectable, sql, type Transaction } from 'kysely'
import type { Campaign } from './campaigns.ts'
import type { Tables } from './database/schema.ts'
import { seedsIn } from './range.ts'
import type { RangeResult } from './rangeResult.ts'
import { addToSums } from './sums.ts'

/** A finished range, and who ran it. */
export interface FinishedRange {
  readonly result: RangeResult
  readonly durationMs: number
  readonly machine: string
}

/**
 * Stores what a range came to and counts its seeds, once: a second result of the same range is the first one again, and one
 * of seeds that the campaign no longer has is none. The campaign's row is locked from then on until the transaction ends.
 */
export async function storeRange(
  transaction: Transaction<Tables>,
  { id, stopOnFailure, budgetMs }: Pick<Campaign, 'id' | 'stopOnFailure' | 'budgetMs'>,
  finished: FinishedRange,
): Promise<void> {
  const { result } = finished
  // Others wait for the lock: where nothing can have changed the last seed, it is taken after the row is written.
  const mayEndSooner = stopOnFailure || budgetMs !== null
  if (mayEndSooner && result.firstSeed > (await lockCampaign(transaction, id)).last_seed) return
  const isNew = await insertRange(transaction, id, finished)
  if (!isNew) {
    await lockCampaign(transaction, id)
    return
  }
  await countSeeds(transaction, id, finished)
  await addToSums(transaction, id, [{ ...result, machine: finished.machine }], 1)
  await mergeInto(transaction, id, result)
  if (stopOnFailure && result.failures.length > 0) await cutAt(transaction, id, result.lastSeed)
  if (budgetMs !== null) await cutIfOver(transaction, id)
}

/** Returns the row of a campaign, locked until the transaction ends: whatever is committed by then has been seen. */
export function lockCampaign(
  transaction: Transaction<Tables>,
  id: string,
): Promise<Selectable<Tables['campaigns']>> {
  return transaction
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

async function insertRange(
  transaction: Transaction<Tables>,
  id: string,
  { result, durationMs, machine }: FinishedRange,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await transaction
    .insertInto('ranges')
    .values({
      campaign_id: id,
      first_seed: result.firstSeed,
      last_seed: result.lastSeed,
      steps: result.steps,
      labels: JSON.stringify(result.labels),
      digests: result.digests,
      marks: result.marks,
      duration_ms: durationMs,
      machine,
    })
    .onConflict((conflict) => conflict.columns(['campaign_id', 'first_seed']).doNothing())
    .executeTakeFirstOrThrow()
  return inserted === 1n
}

async function countSeeds(
  transaction: Transaction<Tables>,
  id: string,
  { result, durationMs }: FinishedRange,
): Promise<void> {
  await transaction
    .updateTable('campaigns')
    .set((column) => ({
      seeds_done: column('seeds_done', '+', seedsIn(result)),
      ranges_done: column('ranges_done', '+', 1),
      busy_ms: column('busy_ms', '+', durationMs),
      began_at: sql`coalesce(began_at, clock_timestamp() - ${durationMs} * interval '1 ms')`,
    }))
    .where('id', '=', id)
    .execute()
}

/** Each failure once, with its lowest seed. */
async function mergeInto(
  transaction: Transaction<Tables>,
  id: string,
  { failures }: Pick<RangeResult, 'failures'>,
): Promise<void> {
  for (const { fingerprint, seed, seeds, ...example } of failures) {
    await transaction
      .insertInto('failures')
      .values({ campaign_id: id, fingerprint, seed, seeds, example: JSON.stringify(example) })
      .onConflict((conflict) =>
        conflict.columns(['campaign_id', 'fingerprint']).doUpdateSet({
          seed: sql`least(failures.seed, excluded.seed)`,
          seeds: sql`failures.seeds + excluded.seeds`,
          example: sql`case when excluded.seed < failures.seed then excluded.example else failures.example end`,
        }),
      )
      .execute()
  }
}

/**
 * Ends a campaign at a seed, the last of a range and the only one up to there that fails: what was found beyond it does
 * not belong to the campaign any more.
 */
async function cutAt(transaction: Transaction<Tables>, id: string, seed: number): Promise<void> {
  const beyond = await transaction
    .deleteFrom('ranges')
    .where('campaign_id', '=', id)
    .where('first_seed', '>', seed)
    .returning(['first_seed', 'last_seed', 'duration_ms', 'labels', 'machine'])
    .execute()
  await transaction.deleteFrom('failures').where('campaign_id', '=', id).where('seed', '>', seed).execute()
  await transaction.updateTable('failures').set({ seeds: 1 }).where('campaign_id', '=', id).execute()
  const cut = beyond.map(({ first_seed: firstSeed, last_seed: lastSeed, ...rest }) => {
    return { ...rest, firstSeed, lastSeed }
  })
  await addToSums(transaction, id, cut, -1)
  const [seeds, ms] = [sum(cut.map(seedsIn)), sum(cut.map(({ duration_ms }) => duration_ms))]
  await transaction
    .updateTable('campaigns')
    .set((column) => ({
      last_seed: seed,
      seeds_done: column('seeds_done', '-', seeds),
      ranges_done: column('ranges_done', '-', beyond.length),
      busy_ms: column('busy_ms', '-', ms),
    }))
    .where('id', '=', id)
    .execute()
}

/** Ends a campaign whose time is over at the last seed that is done: of the seeds before it none is left out. */
async function cutIfOver(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .updateTable('campaigns')
    .set(({ selectFrom }) => ({
      last_seed: selectFrom('ranges')
        .select(sql<number>`max(ranges.last_seed)`.as('last'))
        .where('campaign_id', '=', id),
    }))
    .where('id', '=', id)
    .where(sql<boolean>`clock_timestamp() >= began_at + budget_ms * interval '1 ms'`)
    .execute()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
