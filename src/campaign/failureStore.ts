import { sql, type Transaction } from 'kysely'
import type { CampaignDatabase } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import type { CampaignFailure, KeptShrunk, ShrunkFailure } from './seedRunner.ts'

/** A failure of a campaign; `shrunk` is null while it waits for that, and where no property could be judged. */
export interface StoredFailure extends CampaignFailure {
  readonly shrunk: ShrunkFailure | null
}

/** Returns the failures of a campaign so far, each once, in order of their lowest seeds. */
export async function failuresOf(
  { db }: Pick<CampaignDatabase, 'db'>,
  id: string,
): Promise<readonly StoredFailure[]> {
  const rows = await db
    .selectFrom('failures')
    .select(['fingerprint', 'seed', 'seeds', 'example', 'shrunk'])
    .where('campaign_id', '=', id)
    .orderBy('seed')
    .orderBy('fingerprint')
    .execute()
  return rows.map(({ example, ...row }) => ({ ...row, ...example }))
}

/** Returns the shrunk failures of a campaign with their files, one after another, in order of their seeds. */
export async function* shrunkFailuresOf(
  { db }: Pick<CampaignDatabase, 'db'>,
  id: string,
): AsyncGenerator<CampaignFailure & KeptShrunk> {
  for (const failure of await failuresOf({ db }, id)) {
    const { shrunk } = failure
    if (shrunk === null) continue
    const files = await db
      .selectFrom('failures')
      .select(['script', 'recording'])
      .where('campaign_id', '=', id)
      .where('fingerprint', '=', failure.fingerprint)
      .executeTakeFirstOrThrow()
    yield { ...failure, shrunk, ...files }
  }
}

/**
 * Marks the failures that are to be shrunk now, once: those whose seed is done with all seeds before it, so that no lower
 * one can show the same failure any more. Of a failure without a broken property nothing can be shrunk.
 */
export function takeDueFailures(
  transaction: Transaction<Tables>,
  { id, completeTo }: { readonly id: string; readonly completeTo: number },
): Promise<readonly Pick<CampaignFailure, 'fingerprint' | 'seed'>[]> {
  return transaction
    .updateTable('failures')
    .set({ queued: true })
    .where('campaign_id', '=', id)
    .where('queued', '=', false)
    .where('seed', '<=', completeTo)
    .where(sql<boolean>`example ->> 'status' = 'fail'`)
    .returning(['fingerprint', 'seed'])
    .execute()
}

/** Stores what shrinking a failure came to, once. */
export async function storeShrunk(
  transaction: Transaction<Tables>,
  id: string,
  fingerprint: string,
  { shrunk, script, recording }: KeptShrunk,
): Promise<void> {
  await transaction
    .updateTable('failures')
    .set({ shrunk: JSON.stringify(shrunk), script, recording })
    .where('campaign_id', '=', id)
    .where('fingerprint', '=', fingerprint)
    .where('shrunk', 'is', null)
    .execute()
}
