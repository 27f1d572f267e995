import { sql } from 'kysely'
import { runInOrder, withWorkers } from '../runner/pool/workers.ts'
import { UsageError } from '../spec/errors.ts'
import { findCampaign } from './campaigns.ts'
import type { CampaignDatabase } from './database/open.ts'
import { checkMachine, type Machine } from './machine.ts'
import { type SeedRange, seedsIn } from './range.ts'
import type { SeedPlan, SeedRunner } from './seedRunner.ts'

/** A seed whose outcome differed when it was run again. */
export interface Mismatch {
  readonly range: SeedRange
  /** The machine that ran it for the campaign. */
  readonly machine: string
  readonly seed: number
}

export interface Verification {
  readonly plan: SeedPlan
  readonly ranges: number
  readonly seeds: number
  /** The first seed of each range that differs. */
  readonly mismatches: readonly Mismatch[]
}

/** A stored range, with the digests to compare. */
interface Stored extends SeedRange {
  readonly machine: string
  readonly digests: Buffer
}

/** Size of the SHA-256 digest of one seed. */
const DIGEST_BYTES = 32

/**
 * Runs a sample of the finished ranges of a campaign again, here, and compares their digests with the stored ones. The sample is
 * derived from the results, so it is the same on every machine.
 *
 * @param options.share of the ranges, above 0 and up to 1; at least one range is run.
 * @throws {OtherMachineError} {TargetGoneError} {UsageError} there is no such campaign, or no range of it is finished.
 */
export async function verifyCampaign(
  database: CampaignDatabase,
  id: string,
  options: Machine & {
    readonly share: number
    /** Opens the runners for what the campaign runs; they are stopped before this returns. */
    readonly openRunners: (plan: SeedPlan) => readonly SeedRunner[]
    readonly onRange?: (range: SeedRange) => void
    readonly onSample?: (ranges: number) => void
  },
): Promise<Verification> {
  const { share, openRunners, onRange, onSample } = options
  const campaign = await findCampaign(database, id)
  checkMachine(campaign, options)
  const sample = await sampleOf(database, id, share)
  if (sample.length === 0)
    throw new UsageError(
      `campaign ${id} has no finished range`,
      'Let workers finish some, and verify it then.',
    )
  onSample?.(sample.length)
  const { plan } = campaign
  const compared = await withWorkers(
    async () => openRunners(plan),
    (runners) => {
      const comparing = runners.map((runner) => ({
        atOnce: runner.atOnce ?? 1,
        run: (range: Stored) => compareRange(runner, range),
      }))
      return runInOrder(comparing, sample, (_found, index) => onRange?.(sample[index] as Stored))
    },
  )
  return {
    plan,
    ranges: sample.length,
    seeds: sample.reduce((sum, range) => sum + seedsIn(range), 0),
    mismatches: compared.filter((found) => found !== null),
  }
}

function sampleOf({ db }: CampaignDatabase, id: string, share: number): Promise<readonly Stored[]> {
  const done = db.selectFrom('done').where('campaignId', '=', id)
  const size = done.select(sql<number>`ceil(count(*) * ${share}::float8)::bigint`.as('size'))
  const drawn = done.select('firstSeed').orderBy(sql`sha256(digests)`).limit(size)
  return done
    .select(['firstSeed', 'lastSeed', 'machine', 'digests'])
    .where('firstSeed', 'in', drawn)
    .orderBy('firstSeed')
    .execute()
}

async function compareRange(
  runner: SeedRunner,
  { digests, machine, firstSeed, lastSeed }: Stored,
): Promise<Mismatch | null> {
  for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
    const at = (seed - firstSeed) * DIGEST_BYTES
    const { digest } = await runner.run(seed)
    if (digests.toString('hex', at, at + DIGEST_BYTES) !== digest)
      return { range: { firstSeed, lastSeed }, machine, seed }
  }
  return null
}
