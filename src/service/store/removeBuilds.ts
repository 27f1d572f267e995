import type { Kysely } from 'kysely'
import type { Store } from '../ports.ts'
import type { BuildPage } from '../records.ts'
import type { Tables } from './schema.ts'

/** Reads one page by the index on the end of the window, then removes by id the builds without an attribution. */
export async function removeUnreportedBuilds(
  db: Kysely<Tables>,
  { after, endedBeforeMs, limit }: BuildPage,
): Promise<Awaited<ReturnType<Store['removeUnreportedBuilds']>>> {
  const page = await db
    .selectFrom('builds')
    .select(['valid_until_ms', 'build_id'])
    .where('valid_until_ms', '<', endedBeforeMs)
    .$if(after !== null, (query) =>
      query.where((e) =>
        e(
          e.refTuple('valid_until_ms', 'build_id'),
          '>',
          e.tuple(after?.validUntilMs ?? 0, after?.buildId ?? ''),
        ),
      ),
    )
    .orderBy('valid_until_ms')
    .orderBy('build_id')
    .limit(limit)
    .execute()
  const last = page.at(-1)
  if (last === undefined) return { removed: 0, last: null }
  const { numDeletedRows } = await db
    .deleteFrom('builds')
    .where(
      'build_id',
      'in',
      page.map((row) => row.build_id),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('attributions')
            .select('attributions.build_id')
            .whereRef('attributions.build_id', '=', 'builds.build_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return {
    removed: Number(numDeletedRows),
    last: { validUntilMs: last.valid_until_ms, buildId: last.build_id },
  }
}
