import { sql, type Transaction } from 'kysely'
import { type Campaign, campaignFrom } from './campaigns.ts'
import type { Tables } from './database/schema.ts'
import { seedsIn } from './range.ts'
import type { RangeResult } from './rangeResult.ts'

/** A finished range, and who ran it. */
export interface FinishedRange {
  readonly result: RangeResult
  readonly durationMs: number
  readonly machine: string
}

/**
 * Stores what a range came to and counts its seeds, once: a second result of the same range is the first one again.
 *
 * @returns the campaign, whose row is locked until the transaction ends.
 */
export async function storeRange(
  transaction: Transaction<Tables>,
  { id }: Pick<Campaign, 'id'>,
  finished: FinishedRange,
): Promise<Campaign> {
  const { result, durationMs, machine } = finished
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
  const isNew = inserted === 1n
  // In the order of fingerprints, as everybody does, so that no two workers wait for each other.
  for (const { fingerprint, seed, seeds, ...example } of isNew ? result.failures : []) {
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
  const counted = isNew
    ? { seeds: seedsIn(result), ranges: 1, ms: durationMs }
    : { seeds: 0, ranges: 0, ms: 0 }
  const row = await transaction
    .updateTable('campaigns')
    .set((column) => ({
      seeds_done: column('seeds_done', '+', counted.seeds),
      ranges_done: column('ranges_done', '+', counted.ranges),
      busy_ms: column('busy_ms', '+', counted.ms),
      finished_at: sql`case when seeds_done + ${counted.seeds} = last_seed - first_seed + 1
        then coalesce(finished_at, clock_timestamp()) end`,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return campaignFrom(row)
}
