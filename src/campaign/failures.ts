import { type Kysely, sql } from 'kysely'
import { SCHEMA, type Tables } from './database/schema.ts'
import type { FailedCase } from './seedRunner.ts'

/** One kind of failure in a campaign. */
export interface StoredFailure {
  readonly fingerprint: string
  /** The lowest seed that shows it. */
  readonly seed: number
  /** Number of seeds with this failure. */
  readonly seeds: number
  /** The case of the lowest seed. */
  readonly case: FailedCase
}

/** Returns the failures of a campaign so far, each once, in order of their lowest seeds. */
export async function failuresOf(db: Kysely<Tables>, id: string): Promise<readonly StoredFailure[]> {
  const { rows } = await sql<StoredFailure>`
    select found.fingerprint, min(found.seed) as seed, count(*)::integer as seeds,
      (array_agg(found.case order by found.seed))[1] as case
    from ${sql.table(`${SCHEMA}.done`)} done,
      jsonb_to_recordset(failures) as found(fingerprint text, seed integer, "case" jsonb)
    where done.campaign_id = ${id} and failures <> '[]'
    group by found.fingerprint order by seed, fingerprint`.execute(db)
  return rows
}
