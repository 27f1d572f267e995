import { sql, type Transaction } from 'kysely'
import { runInOrder, WorkerError } from '../runner/pool/workers.ts'
import { advance, type ShrinkJob } from './advance.ts'
import { type Campaign, queueOf } from './campaigns.ts'
import { type CampaignDatabase, takeJob, within } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { storeShrunk } from './failureStore.ts'
import { describeRange, type SeedRange } from './range.ts'
import { joinResults, type RangeResult, seedResult } from './rangeResult.ts'
import type { CampaignFailure, KeptShrunk, SeedPlan, SeedRunner } from './seedRunner.ts'
import { lockCampaign, storeRange } from './store.ts'
import { TargetGoneError } from './targetPlan.ts'

/** Who takes a job, and who follows that. */
export interface Taker {
  readonly machine: string
  readonly nowMs: () => number
  onRange(result: RangeResult): void
  onShrunk(failure: Pick<CampaignFailure, 'fingerprint' | 'seed'>): void
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
  readonly transaction: Transaction<Tables>
  readonly campaign: Campaign
  readonly data: Data
  /** True if it has failed as often as it may. */
  readonly isLastTry: boolean
  readonly runner: SeedRunner
  readonly taker: Taker
}

/** A job that ended well: how its result is stored, and reported once that is committed; or that goes back. */
type Ended = { readonly store: () => Promise<void>; readonly report: () => void } | { readonly back: Error }

/**
 * Takes a job of a campaign, a range or a failure to shrink, and stores what it comes to. The job, its result and its end
 * are one transaction: whatever ends the worker or its connection ends that, and the job is free for others at once.
 *
 * @param runnerOf is called once a job was taken.
 */
export async function takeTurn(
  campaign: Campaign,
  { db, queue }: CampaignDatabase,
  runnerOf: (plan: SeedPlan) => Promise<SeedRunner>,
  taker: Taker,
): Promise<Turn> {
  const name = queueOf(campaign.id)
  try {
    const ended = await db.transaction().execute(async (transaction) => {
      const inside = within(transaction)
      const job = await takeJob<SeedRange | ShrinkJob>(queue, name, transaction)
      if (job === undefined) return null
      const { data, retryCount, retryLimit } = job
      const runner = await runnerOf(campaign.plan)
      const taken = { transaction, campaign, isLastTry: retryCount >= retryLimit, runner, taker }
      const ended =
        'fingerprint' in data
          ? await shrinkFailure({ ...taken, data })
          : await finishRange({ ...taken, data })
      if ('back' in ended) {
        await queue.fail(name, job.id, { message: ended.back.message }, inside)
        return ended
      }
      await queue.complete(name, job.id, undefined as never, inside)
      await ended.store()
      await advance({ db: transaction, queue }, campaign.id)
      return ended
    })
    if (ended === null) return 'none'
    if ('back' in ended) return 'broken'
    ended.report()
    return 'ran'
  } catch (error) {
    if (!(error instanceof RangeFailedError)) throw error
    const stopped = { stopped: true, problem: error.message }
    await db
      .updateTable('campaigns')
      .set(stopped)
      .where('id', '=', campaign.id)
      // Otherwise the campaign was ended before this range while it ran, and does not need it.
      .where('last_seed', '>=', error.range.firstSeed)
      .execute()
    return 'broken'
  }
}

/** @throws {RangeFailedError} */
async function finishRange(taken: Taken<SeedRange>): Promise<Ended> {
  const { transaction, campaign, data: range, isLastTry, runner, taker } = taken
  // The campaign ends before it by now.
  if (range.firstSeed > campaign.lastSeed)
    return { store: async () => void (await lockCampaign(transaction, campaign.id)), report: () => {} }
  const startedMs = taker.nowMs()
  if (campaign.plan.suite !== 'simulate') await allowLong(transaction)
  const result = await orError(runRange(runner, range, campaign.stopOnFailure))
  // Every other range would end in the same way.
  if (result instanceof TargetGoneError)
    throw new RangeFailedError(range, `${taker.machine} cannot reach the service: ${result.message}`)
  if (result instanceof WorkerError) {
    taker.onProblem(`the range ${describeRange(range)} goes back: ${result.message}`)
    // A failure counts, and so many of one range stop the campaign.
    if (isLastTry) throw new RangeFailedError(range, result.message)
    return { back: result }
  }
  const finished = { result, durationMs: taker.nowMs() - startedMs, machine: taker.machine }
  return {
    store: () => storeRange(transaction, campaign, finished),
    report: () => taker.onRange(result),
  }
}

async function shrinkFailure(taken: Taken<ShrinkJob>): Promise<Ended> {
  const { transaction, campaign, data: failure, isLastTry, runner, taker } = taken
  await allowLong(transaction)
  const kept = await orError(runner.shrink(failure))
  if (kept instanceof Error) {
    taker.onProblem(`the failure of seed ${failure.seed} goes back: ${kept.message}`)
    if (!isLastTry) return { back: kept }
  }
  const stored = kept instanceof Error ? notShrunk(kept) : kept
  return {
    store: async () => {
      await lockCampaign(transaction, campaign.id)
      await storeShrunk(transaction, campaign.id, failure.fingerprint, stored)
    },
    report: () => taker.onShrunk(failure),
  }
}

async function allowLong(transaction: Transaction<Tables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LONG_LIMIT)}`.execute(transaction)
}

/** A campaign goes on where a failure cannot be shrunk, and says why. */
function notShrunk({ message }: Error): KeptShrunk {
  return { shrunk: { problem: message.split('\n')[0] as string }, script: null, recording: null }
}

/** @param endsAtFailure whether the first seed that fails is the last one to be run. */
async function runRange(
  runner: SeedRunner,
  { firstSeed, lastSeed }: SeedRange,
  endsAtFailure: boolean,
): Promise<RangeResult> {
  const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index)
  let endsAt = lastSeed
  const run = async (seed: number): Promise<RangeResult | null> => {
    if (seed > endsAt) return null
    const result = seedResult(await runner.run(seed))
    if (endsAtFailure && result.failures.length > 0) endsAt = Math.min(endsAt, seed)
    return result
  }
  const results = await runInOrder([{ atOnce: runner.atOnce ?? 1, run }], seeds)
  const whole = results.flatMap((result) => (result !== null && result.lastSeed <= endsAt ? [result] : []))
  return joinResults(whole as [RangeResult, ...RangeResult[]])
}

async function orError<T>(running: Promise<T>): Promise<T | WorkerError | TargetGoneError> {
  return running.catch((error) => {
    if (error instanceof WorkerError || error instanceof TargetGoneError) return error
    throw error
  })
}
