import { sql } from 'kysely'
import type { Simulator } from '../runner/simulate/run.ts'
import { runInOrder } from '../runner/workers.ts'
import { UsageError } from '../spec/errors.ts'
import { findCampaign } from './campaigns.ts'
import type { CampaignDatabase } from './database/open.ts'
import { firstDifference, marksOf, splitMarks, traceEntries } from './marks.ts'
import { type SeedRange, seedsIn } from './range.ts'
import { DIGEST_BYTES, traceDigest } from './rangeResult.ts'
import { runSeed } from './simulators.ts'
import { demandVersions, type Versions } from './versions.ts'

/** A seed that came to something else when it was run again. */
export interface Mismatch {
  readonly range: SeedRange
  /** The machine that ran it for the campaign. */
  readonly machine: string
  readonly seed: number
  /** The first entry of its trace that differs, counted from 0: the script, each step, the verdicts. */
  readonly entry: number
  /** That entry as it is here; null where the trace here is shorter. */
  readonly here: unknown
}

/** What a verification found. */
export interface Verification {
  readonly ranges: number
  readonly seeds: number
  /** The first seed of each range that differs. */
  readonly mismatches: readonly Mismatch[]
}

/** A range of the table, with what must be found again. */
interface Stored extends SeedRange {
  readonly machine: string
  readonly digests: Buffer
  readonly marks: Buffer
}

/**
 * Runs a sample of the finished ranges of a campaign again, here, and compares their digests with the stored ones. The sample follows
 * from the results: it is the same for everybody.
 *
 * @param options.share of the ranges, above 0 and up to 1; at least one range is run.
 * @throws {NoCampaignError} {OtherVersionsError} {UsageError} no range is finished.
 */
export async function verifyCampaign(
  database: CampaignDatabase,
  id: string,
  options: {
    readonly share: number
    readonly versions: Versions
    readonly simulators: readonly Simulator[]
    readonly onRange?: (range: SeedRange) => void
    readonly onSample?: (ranges: number) => void
  },
): Promise<Verification> {
  demandVersions(options.versions, await findCampaign(database, id))
  const sample = await sampleOf(database, id, options.share)
  options.onSample?.(sample.length)
  const workers = options.simulators.map((simulator) => ({
    atOnce: simulator.atOnce ?? 1,
    run: (range: Stored) => compareRange(simulator, range),
  }))
  const compared = await runInOrder(workers, sample, (_found, index) =>
    options.onRange?.(sample[index] as Stored),
  )
  return {
    ranges: sample.length,
    seeds: sample.reduce((sum, range) => sum + seedsIn(range), 0),
    mismatches: compared.filter((found) => found !== null),
  }
}

async function sampleOf({ db }: CampaignDatabase, id: string, share: number): Promise<readonly Stored[]> {
  const found = await db
    .selectFrom('ranges')
    .select(['first_seed', 'last_seed', 'machine', 'digests', 'marks'])
    .where('campaign_id', '=', id)
    .where('first_seed', 'in', (ranges) =>
      ranges
        .selectFrom('ranges')
        .select('first_seed')
        .where('campaign_id', '=', id)
        .orderBy(sql`sha256(digests)`)
        .limit(
          ranges
            .selectFrom('ranges')
            .select(sql<number>`ceil(count(*) * ${share}::float8)::bigint`.as('size'))
            .where('campaign_id', '=', id),
        ),
    )
    .orderBy('first_seed')
    .execute()
  if (found.length === 0)
    throw new UsageError(
      `campaign ${id} has no finished range`,
      'Let workers finish some, and verify it then.',
    )
  return found.map(({ first_seed: firstSeed, last_seed: lastSeed, ...rest }) => ({
    firstSeed,
    lastSeed,
    ...rest,
  }))
}

async function compareRange(simulator: Simulator, stored: Stored): Promise<Mismatch | null> {
  const marks = splitMarks(stored.marks)
  for (let index = 0; index < seedsIn(stored); index += 1) {
    const seed = stored.firstSeed + index
    const run = await runSeed(simulator, seed)
    const digest = stored.digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)
    if (traceDigest(run).equals(digest)) continue
    const entries = traceEntries(run)
    const entry = firstDifference(marks[index] ?? Buffer.alloc(0), marksOf(run)) ?? entries.length - 1
    const { firstSeed, lastSeed, machine } = stored
    return { range: { firstSeed, lastSeed }, machine, seed, entry, here: entries[entry] ?? null }
  }
  return null
}
