import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { writeWhole } from '../host/writeWhole.ts'
import { writeFailure } from '../runner/families/failures.ts'
import type { Json } from '../runner/families/shrinkJson.ts'
import { isRequirementId } from '../spec/requirements/index.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import type { FailedCase, ShrunkFailure } from './seedRunner.ts'

/** One way in which seeds of a campaign fail. */
export interface StoredFailure {
  readonly fingerprint: string
  /** The lowest seed that shows it. */
  readonly seed: number
  /** How many seeds fail in this way. */
  readonly seeds: number
  /** True if its case is as small as it could be made, or says why it is not shrunk. */
  readonly isShrunk: boolean
  readonly case: FailedCase
}

/** A failure that is to be shrunk. */
export type ShrinkJob = Pick<StoredFailure, 'fingerprint' | 'seed'>

const DONE = sql.table(`${SCHEMA}.done`)
const SHRUNK = sql.table(`${SCHEMA}.shrunk`)
const EACH_FAILURE = sql`jsonb_to_recordset(failures) as found(fingerprint text, seed integer, "case" jsonb)`

/** Returns the failures of a campaign so far, each once, in order of their lowest seeds. */
export async function failuresOf(db: Kysely<Tables>, id: string): Promise<readonly StoredFailure[]> {
  const { rows } = await sql<StoredFailure>`
    select found.fingerprint, min(found.seed) as seed, count(*)::integer as seeds,
      failed_case is not null as "isShrunk",
      coalesce(failed_case, (array_agg(found.case order by found.seed))[1]) as case
    from ${DONE} done cross join lateral ${EACH_FAILURE}
      left join ${SHRUNK} shrunk on shrunk.campaign_id = ${id} and shrunk.fingerprint = found.fingerprint
    where done.campaign_id = ${id} and failures <> '[]'
    group by found.fingerprint, failed_case order by seed, fingerprint`.execute(db)
  return rows
}

/**
 * Takes the failures that are to be shrunk now, each once: those whose seed is done with all seeds before it, so that no lower one can
 * show the same failure any more. What could not be judged breaks nothing, and is not shrunk.
 */
export async function takeDueFailures(db: Transaction<Tables>, id: string): Promise<readonly ShrinkJob[]> {
  const { rows } = await sql<ShrinkJob>`
    insert into ${SHRUNK} (campaign_id, fingerprint, seed)
    select ${id}, fingerprint, lowest.seed from (
      select found.fingerprint, min(found.seed) as seed from ${DONE} done cross join lateral ${EACH_FAILURE}
      where done.campaign_id = ${id} and failures <> '[]' and found.case ->> 'status' = 'fail'
      group by found.fingerprint
    ) lowest
    where fingerprint not in (select fingerprint from ${SHRUNK} where campaign_id = ${id})
      and (select sum(least(last_seed, lowest.seed) - first_seed + 1) from ${DONE}
        where campaign_id = ${id} and first_seed <= lowest.seed)
      = (select lowest.seed - first_seed + 1 from ${sql.table(`${SCHEMA}.campaigns`)} where id = ${id})
    returning fingerprint, seed`.execute(db)
  return rows
}

/**
 * Stores what shrinking a failure came to, once.
 *
 * @param outcome why it could not be shrunk, where it could not: its case is then that of its seed.
 */
export async function storeShrunk(
  db: Transaction<Tables>,
  id: string,
  { fingerprint }: ShrinkJob,
  outcome: ShrunkFailure | string,
): Promise<void> {
  const found = (await failuresOf(db, id)).find((each) => each.fingerprint === fingerprint)
  if (found === undefined || found.isShrunk) return
  const { case: failedCase, recording } =
    typeof outcome === 'string'
      ? { case: withNote(found.case, `not shrunk: ${outcome.split('\n')[0]}`), recording: null }
      : outcome
  await db
    .updateTable('shrunk')
    .set({ failedCase: JSON.stringify(failedCase), recording })
    .where('campaignId', '=', id)
    .where('fingerprint', '=', fingerprint)
    .execute()
}

const withNote = (failed: FailedCase, note: string): FailedCase => ({
  ...failed,
  notes: [...failed.notes, note],
})

/** The files of a shrunk failure. */
interface FailureFiles {
  readonly fingerprint: string
  /** The kept failure; null where nothing of it was generated. */
  readonly script: string | null
  /** Null where such cases are not recorded. */
  readonly recording: string | null
}

/**
 * Writes the shrunk failures of a campaign into a folder, as `plumbline simulate` leaves its own: kept failures in
 * `failures`, recordings in `recordings`.
 *
 * @throws {NotWrittenError}
 */
export async function writeFailureFiles(
  db: Kysely<Tables>,
  id: string,
  directory: string,
): Promise<readonly FailureFiles[]> {
  const shrunk = await db
    .selectFrom('shrunk')
    .select(['fingerprint', 'seed', 'failedCase', 'recording'])
    .where('campaignId', '=', id)
    .orderBy('seed')
    .orderBy('fingerprint')
    .execute()
  const names = new Map<string, number>()
  return shrunk.flatMap(({ fingerprint, seed, failedCase, recording: text }) => {
    const { id: property = '', failure = null } = failedCase ?? {}
    const { requirement = null, expected = '', actual = '', counterexample } = failure ?? {}
    const isKept = counterexample !== undefined && requirement !== null && isRequirementId(requirement)
    if (!isKept && text === null) return []
    const script = isKept
      ? writeFailure(join(directory, 'failures'), {
          ...{ property, requirement, expected, actual, seed, case: counterexample as Json },
        })
      : null
    const name = `${requirement ?? property}.seed-${seed}`
    const alike = (names.get(name) ?? 0) + 1
    names.set(name, alike)
    const recording = join(directory, 'recordings', `${name}${alike === 1 ? '' : `.${alike}`}.json`)
    if (text !== null) writeWhole(recording, text)
    return [{ fingerprint, script, recording: text === null ? null : recording }]
  })
}
