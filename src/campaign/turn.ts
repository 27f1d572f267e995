import { sql, type Transaction } from 'kysely'
import { runInOrder, WorkerError } from '../runner/pool/workers.ts'
import { type Campaign, queueOf } from './campaigns.ts'
import { type CampaignDatabase, takeJob, within } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { type ShrinkJob, storeShrunk } from './failures.ts'
import { describeRange, type SeedRange, seedsIn } from './range.ts'
import type { SeedOutcome, SeedPlan, SeedRunner, ShrunkFailure } from './seedRunner.ts'
import { advance, type RangeResult, storeRange } from './store.ts'
import { TargetGoneError } from './targetPlan.ts'

/** Who takes a job, and who follows that. */
export interface Taker {
  readonly machine: string
  onRange(result: RangeResult): void
  onShrunk(failure: ShrinkJob): void
  onProblem(text: string): void
}

/** Describes what one look for a job came to. */
export type Turn = 'ran' | 'none' | 'broken'

/** To shrink a failure takes hundreds of runs, a slow service minutes for its cases, and nothing is sent to the database meanwhile. */
const LONG_LIMIT = '2h'

/** A range failed as often as it may, or its service cannot be reached. */
class RangeFailedError extends Error {
  readonly range: SeedRange
  constructor(range: SeedRange, problem: string) {
    super(`the range ${describeRange(range)} could not be run: ${problem}`)
    this.range = range
  }
}

/** A job that was taken, inside of the transaction that ends with it. */
interface Taken<Data> {
  readonly db: Transaction<Tables>
  readonly campaign: Campaign
  readonly data: Data
  /** True if it has failed as often as it may. */
  readonly isLastTry: boolean
  readonly runner: SeedRunner
  readonly taker: Taker
}

/** A job that ended well: which range was stored, and how that is reported once it is committed; or that goes back. */
type Ended = { readonly stored: RangeResult | null; readonly report: () => void } | { readonly back: Error }

/**
 * Takes a job of a campaign, a range or a failure to shrink, and stores what it comes to. The job, its result and its end
 * are one transaction: whatever ends the worker or its connection ends that, and the job is free for others at once.
 *
 * @param runnerOf is called once a job was taken.
 */
export async function takeTurn(
  campaign: Campaign,
  database: CampaignDatabase,
  runnerOf: (plan: SeedPlan) => Promise<SeedRunner>,
  taker: Taker,
): Promise<Turn> {
  const { queue } = database
  const name = queueOf(campaign.id)
  try {
    const ended = await database.db.transaction().execute(async (db): Promise<Ended | null> => {
      const job = await takeJob<SeedRange | ShrinkJob>(queue, name, db)
      if (job === undefined) return null
      const { id, data, retryCount, retryLimit } = job
      const runner = await runnerOf(campaign.plan)
      const taken = { db, campaign, isLastTry: retryCount >= retryLimit, runner, taker }
      const ended =
        'fingerprint' in data
          ? await shrinkFailure({ ...taken, data })
          : await finishRange({ ...taken, data })
      if ('back' in ended) await queue.fail(name, id, { message: ended.back.message }, within(db))
      else {
        await queue.complete(name, id, undefined as never, within(db))
        await advance({ db, queue }, campaign.id, ended.stored)
      }
      return ended
    })
    if (ended === null) return 'none'
    if ('back' in ended) return 'broken'
    ended.report()
    return 'ran'
  } catch (error) {
    if (!(error instanceof RangeFailedError)) throw error
    await database.db
      .updateTable('campaigns')
      .set({ isStopped: true, problem: error.message })
      .where('id', '=', campaign.id)
      // Otherwise the campaign was ended before this range while it ran, and does not need it.
      .where('lastSeed', '>=', error.range.firstSeed)
      .execute()
    return 'broken'
  }
}

/** @throws {RangeFailedError} */
async function finishRange({ db, campaign, data: range, ...taken }: Taken<SeedRange>): Promise<Ended> {
  const { isLastTry, runner, taker } = taken
  // The campaign ends before it by now.
  if (range.firstSeed > campaign.lastSeed) return { stored: null, report: () => {} }
  if (campaign.plan.suite !== 'simulate') await allowLong(db)
  const outcomes = await orError(runRange(runner, range, campaign.stopOnFailure))
  // Every other range would end in the same way.
  if (outcomes instanceof TargetGoneError)
    throw new RangeFailedError(range, `${taker.machine} cannot reach the service: ${outcomes.message}`)
  if (outcomes instanceof WorkerError) {
    taker.onProblem(`the range ${describeRange(range)} goes back: ${outcomes.message}`)
    // A failure counts, and so many of one range stop the campaign.
    if (isLastTry) throw new RangeFailedError(range, outcomes.message)
    return { back: outcomes }
  }
  const stored = await storeRange(db, { id: campaign.id, machine: taker.machine }, range.firstSeed, outcomes)
  return { stored, report: () => taker.onRange(stored) }
}

async function shrinkFailure({ db, campaign, data: failure, ...taken }: Taken<ShrinkJob>): Promise<Ended> {
  const { isLastTry, runner, taker } = taken
  const { seed, fingerprint } = failure
  await allowLong(db)
  const shrunk = await orError(runner.run({ seed, shrink: fingerprint }) as Promise<ShrunkFailure | null>)
  if (shrunk instanceof Error) {
    taker.onProblem(`the failure of seed ${seed} goes back: ${shrunk.message}`)
    if (!isLastTry) return { back: shrunk }
  }
  // A campaign goes on where a failure cannot be shrunk, and says why.
  if (shrunk === null)
    await storeShrunk(db, campaign.id, failure, `seed ${seed} did not fail in this way again`)
  else await storeShrunk(db, campaign.id, failure, shrunk instanceof Error ? shrunk.message : shrunk)
  return { stored: null, report: () => taker.onShrunk(failure) }
}

async function allowLong(db: Transaction<Tables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LONG_LIMIT)}`.execute(db)
}

/**
 * Runs the seeds of a range, or those up to the first that fails.
 *
 * @param endsAtFailure whether the first seed that fails is the last one to be run.
 */
async function runRange(
  runner: SeedRunner,
  range: SeedRange,
  endsAtFailure: boolean,
): Promise<readonly SeedOutcome[]> {
  const seeds = Array.from({ length: seedsIn(range) }, (_, index) => range.firstSeed + index)
  let endsAt = range.lastSeed
  const run = async (seed: number): Promise<SeedOutcome | null> => {
    if (seed > endsAt) return null
    const outcome = (await runner.run({ seed })) as SeedOutcome
    if (endsAtFailure && outcome.failures.length > 0) endsAt = Math.min(endsAt, seed)
    return outcome
  }
  const outcomes = await runInOrder([{ atOnce: runner.atOnce ?? 1, run }], seeds)
  return outcomes.flatMap((outcome, index) =>
    outcome !== null && (seeds[index] as number) <= endsAt ? [outcome] : [],
  )
}

async function orError<T>(running: Promise<T>): Promise<T | WorkerError | TargetGoneError> {
  return running.catch((error) => {
    if (error instanceof WorkerError || error instanceof TargetGoneError) return error
    throw error
  })
}
