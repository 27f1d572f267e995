import { sql, type Transaction } from 'kysely'
import { runInOrder, WorkerError } from '../runner/pool/workers.ts'
import { type Campaign, queueOf } from './campaigns.ts'
import { type CampaignDatabase, takeJob, within } from './database/open.ts'
import type { Tables } from './database/schema.ts'
import { describeRange, type SeedRange, seedsIn } from './range.ts'
import { type SeedOutcome, type SeedPlan, type SeedRunner, TargetGoneError } from './seedRunner.ts'
import { advance, type RangeResult, storeRange } from './store.ts'

/** The worker that takes a range, with its callbacks. */
export interface Taker {
  readonly machine: string
  onRange(result: RangeResult): void
  onProblem(text: string): void
}

/** Outcome of trying to take a range. */
export type Turn = 'ran' | 'none' | 'broken'

/** The cases of a slow service take minutes, during which the transaction is idle. */
const LONG_LIMIT = '2h'

/**
 * Takes a range of a campaign, runs it and stores its result, all in one transaction: if the worker or its connection ends, the
 * transaction is rolled back, and other workers can take the range immediately.
 *
 * @param runnerOf called once a range is taken.
 */
export async function takeTurn(
  campaign: Campaign,
  { db: database, queue }: CampaignDatabase,
  runnerOf: (plan: SeedPlan) => Promise<SeedRunner>,
  taker: Taker,
): Promise<Turn> {
  const { id, plan, stopOnFailure } = campaign
  const name = queueOf(id)
  const turn = await database.transaction().execute(async (db): Promise<RangeResult | Turn> => {
    const job = await takeJob<SeedRange>(queue, name, db)
    if (job === undefined) return 'none'
    const { data: range, retryCount, retryLimit } = job
    // Otherwise the campaign has ended before this range.
    const isNeeded = range.firstSeed <= campaign.lastSeed
    if (plan.suite !== 'simulate')
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LONG_LIMIT)}`.execute(db)
    const outcomes = isNeeded ? await orError(runRange(await runnerOf(plan), range, stopOnFailure)) : []
    if (outcomes instanceof Error) {
      await queue.fail(name, job.id, { message: outcomes.message }, within(db))
      const isLastTry = retryCount >= retryLimit
      const isGone = outcomes instanceof TargetGoneError
      if (!isGone)
        taker.onProblem(`the range ${describeRange(range)} is returned to the queue: ${outcomes.message}`)
      // An unreachable service would fail every other range too; a range that failed on every try also stops the campaign.
      const reached = isGone ? `${taker.machine} cannot reach the service: ` : ''
      if (isGone || isLastTry) await stopAt(db, id, range, `${reached}${outcomes.message}`)
      return 'broken'
    }
    const { machine } = taker
    const stored = isNeeded ? await storeRange(db, { id, machine }, range.firstSeed, outcomes) : null
    await queue.complete(name, job.id, undefined as never, within(db))
    await advance({ db, queue }, id, stored)
    return stored ?? 'ran'
  })
  if (typeof turn === 'string') return turn
  taker.onRange(turn)
  return 'ran'
}

/** Stops a campaign at a range that cannot be run, unless the campaign now ends before this range. */
async function stopAt(db: Transaction<Tables>, id: string, range: SeedRange, why: string): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ isStopped: true, problem: `the range ${describeRange(range)} could not be run: ${why}` })
    .where('id', '=', id)
    .where('lastSeed', '>=', range.firstSeed)
    .execute()
}

/**
 * Runs the seeds of a range.
 *
 * @param endsAtFailure true to return no seeds after the first one that fails.
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
    const outcome = await runner.run(seed)
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
