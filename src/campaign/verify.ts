import { sql } from 'kysely'
import { runInOrder, withWorkers } from '../runner/pool/workers.ts'
import { UsageError } from '../spec/errors.ts'
import { findCampaign } from './campaigns.ts'
import type { CampaignDatabase } from './database/open.ts'
import { firstDifference, marksOf, splitMarks } from './marks.ts'
import { type SeedRange, seedsIn } from './range.ts'
import { DIGEST_BYTES, traceDigest } from './rangeResult.ts'
import type { SeedPlan, SeedRunner } from './seedRunner.ts'
import { checkTarget } from './targetPlan.ts'
import { checkVersions, type Versions } from './versions.ts'

/** A seed that came to something else when it was run again. */
export interface Mismatch {
  readonly range: SeedRange
  /** The machine that ran it for the campaign. */
  readonly machine: string
  readonly seed: number
  /** The property or case of that entry; absent where an entry is none. */
  readonly property?: string
  /** The first entry of its trace that differs, counted from 0: the script, each step, the verdicts. */
  readonly entry: number
  /** That entry as it is here; null where the trace here is shorter. */
  readonly here: unknown
}

/** Describes what a verification found. */
export interface Verification {
  /** What each seed of the campaign runs. */
  readonly plan: SeedPlan
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
 * @throws {NoCampaignError} {OtherVersionsError} {OtherTargetError} {TargetGoneError} {UsageError} no range is finished.
 */
export async function verifyCampaign(
  database: CampaignDatabase,
  id: string,
  options: {
    readonly share: number
    readonly versions: Versions
    /** The digest of the outside service that is named on this machine. Default: none is. */
    readonly target?: string | null
    /** Opens the runners for what the campaign runs; they are stopped before this returns. */
    readonly openRunners: (plan: SeedPlan) => readonly SeedRunner[]
    readonly onRange?: (range: SeedRange) => void
    readonly onSample?: (ranges: number) => void
  },
): Promise<Verification> {
  const campaign = await findCampaign(database, id)
  checkVersions(options.versions, campaign)
  checkTarget(campaign, options.target ?? null)
  const sample = await sampleOf(database, id, options.share)
  options.onSample?.(sample.length)
  const open = async () =>
    options.openRunners(campaign.plan).map((runner) => ({
      atOnce: runner.atOnce ?? 1,
      run: (range: Stored) => compareRange(runner, campaign.plan, range),
      stop: () => runner.stop(),
    }))
  const compared = await withWorkers(open, (workers) =>
    runInOrder(workers, sample, (_found, index) => options.onRange?.(sample[index] as Stored)),
  )
  return {
    plan: campaign.plan,
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

async function compareRange(
  runner: Pick<SeedRunner, 'run'>,
  plan: SeedPlan,
  stored: Stored,
): Promise<Mismatch | null> {
  const marks = splitMarks(stored.marks)
  for (let index = 0; index < seedsIn(stored); index += 1) {
    const seed = stored.firstSeed + index
    const outcome = await runner.run(seed)
    const digest = stored.digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES)
    if (traceDigest(outcome).equals(digest)) continue
    const { entries } = outcome
    const entry = firstDifference(marks[index] ?? Buffer.alloc(0), marksOf(entries)) ?? entries.length - 1
    const { firstSeed, lastSeed, machine } = stored
    const here = entries[entry] ?? null
    return { range: { firstSeed, lastSeed }, machine, seed, entry, here, ...caseOf(plan, here) }
  }
  return null
}

function caseOf({ suite }: SeedPlan, entry: unknown): Pick<Mismatch, 'property'> {
  const { id } = (entry ?? {}) as { readonly id?: string }
  return suite === 'simulate' || id === undefined ? {} : { property: id }
}
