import { sql } from 'kysely'
import type { Simulator } from '../runner/simulate/run.ts'
import { runInOrder, WorkerError } from '../runner/workers.ts'
import { type Campaign, openCampaignsOf, planRanges, queueOf } from './campaigns.ts'
import { type CampaignDatabase, CampaignDatabaseError, takeJob, within } from './database/open.ts'
import { describeRange, type SeedRange } from './range.ts'
import { joinResults, type RangeResult, seedResult } from './rangeResult.ts'
import { lastingSimulator, runSeed } from './simulators.ts'
import { storeRange } from './store.ts'
import { differencesOf, OtherVersionsError, type Versions } from './versions.ts'

/** What the workers of one machine need. */
export interface WorkOptions {
  /** How many run side by side, each with a simulator and a connection of its own. */
  readonly workers: number
  readonly versions: Versions
  readonly machine: string
  /** The only campaign to work on; null: any that is open, the oldest first. */
  readonly campaign: string | null
  /** Ends when no campaign is open that it could work on; otherwise it waits for the next. */
  readonly untilDone: boolean
  /** Starts a simulator in a process of its own. */
  readonly openSimulator: () => Simulator
  /** Whether to end, after the range in hand. */
  readonly isLeaving: () => boolean
  readonly time: WorkTime
  readonly watch: WorkWatch
}

/** Durations, which nothing that is stored as a result depends on. */
interface WorkTime {
  nowMs(): number
  pass(deltaMs: number): Promise<unknown>
}

/** Follows the workers of one machine. */
export interface WorkWatch {
  onRange(result: RangeResult): void
  /** Something went wrong that the campaign survives. */
  onProblem(text: string): void
}

/** Between two looks for a range where there was none, or at a database that did not respond. */
const PAUSE_MS = 1_000
/** A database that is away for so many looks, ten minutes, ends a worker; one that is there and refuses, sooner. */
const LOOKS = { away: 600, refusing: 5 } as const

/** A range failed as often as it may. */
class RangeFailedError extends Error {
  constructor(range: SeedRange, { message }: WorkerError) {
    super(`the range ${describeRange(range)} could not be run: ${message}`)
  }
}

/** What one look for a range came to. */
type Turn = 'ran' | 'none' | 'finished' | 'broken'

/**
 * Works on campaigns: takes ranges, runs them, and stores what they came to, each in one transaction. Whatever ends a
 * worker or its connection ends the transaction, and the range is free for others at once.
 *
 * @throws {OtherVersionsError} every open campaign was started with other versions.
 * @throws {CampaignDatabaseError}
 */
export async function work(database: CampaignDatabase, options: WorkOptions): Promise<void> {
  await suitable(database, options)
  let hasFailed = false
  const isLeaving = () => hasFailed || options.isLeaving()
  const lanes = Array.from({ length: options.workers }, () =>
    serve(database, { ...options, isLeaving }).catch((error) => {
      hasFailed = true
      throw error
    }),
  )
  const ended = await Promise.allSettled(lanes)
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}

async function serve(database: CampaignDatabase, options: WorkOptions): Promise<void> {
  const { openSimulator, isLeaving, time, watch, untilDone } = options
  const simulator = lastingSimulator(openSimulator, ({ message }) => watch.onProblem(message))
  const looks = { away: 0, refusing: 0 }
  try {
    while (!isLeaving()) {
      const turn = await takeRange(database, options, simulator).catch((error) => error as Error)
      if (turn instanceof OtherVersionsError) throw turn
      if (turn instanceof Error) {
        const state = (await responds(database)) ? 'refusing' : 'away'
        looks[state] += 1
        if (looks[state] > LOOKS[state]) throw new CampaignDatabaseError(turn)
        if (state === 'away' && looks.away === 1)
          watch.onProblem('the database does not respond; waiting for it')
        await time.pass(PAUSE_MS)
      } else {
        Object.assign(looks, { away: 0, refusing: 0 })
        if (turn === 'finished' && untilDone) return
        if (turn === 'none' || turn === 'finished') await time.pass(PAUSE_MS)
      }
    }
  } finally {
    await simulator.stop()
  }
}

/** Takes a range of the oldest open campaign, and runs it. */
async function takeRange(
  database: CampaignDatabase,
  options: WorkOptions,
  simulator: Simulator,
): Promise<Turn> {
  const open = await suitable(database, options)
  for (const campaign of open) {
    const turn = await takeRangeOf(campaign, database, options, simulator)
    if (turn !== 'none') return turn
  }
  return open.length === 0 ? 'finished' : 'none'
}

/** The open campaigns that this machine may work on. @throws {OtherVersionsError} there are only others. */
async function suitable(
  database: CampaignDatabase,
  { campaign, versions }: WorkOptions,
): Promise<readonly Campaign[]> {
  const open = (await openCampaignsOf(database)).filter(({ id }) => campaign === null || id === campaign)
  const suited = open.filter((each) => differencesOf(versions, each.versions).length === 0)
  const [refused] = open
  if (suited.length === 0 && refused !== undefined)
    throw new OtherVersionsError(refused.id, differencesOf(versions, refused.versions))
  return suited
}

async function takeRangeOf(
  campaign: Campaign,
  { db, queue }: CampaignDatabase,
  { machine, time, watch }: WorkOptions,
  simulator: Simulator,
): Promise<Turn> {
  const name = queueOf(campaign.id)
  try {
    const ran = await db.transaction().execute(async (transaction) => {
      const inside = within(transaction)
      const job = await takeJob<SeedRange>(queue, name, transaction)
      if (job === undefined) return 'none'
      const startedMs = time.nowMs()
      const ran = await runRange(simulator, job.data)
      if (ran instanceof WorkerError) {
        watch.onProblem(`the range ${describeRange(job.data)} goes back: ${ran.message}`)
        // A failure counts, and so many of one range stop the campaign.
        if (job.retryCount >= job.retryLimit) throw new RangeFailedError(job.data, ran)
        await queue.fail(name, job.id, { message: ran.message }, inside)
        return 'broken'
      }
      const now = await storeRange(transaction, campaign, {
        result: ran,
        durationMs: time.nowMs() - startedMs,
        machine,
      })
      await queue.complete(name, job.id, undefined as never, inside)
      await planRanges({ db: transaction, queue }, now)
      return ran
    })
    if (typeof ran === 'string') return ran
    watch.onRange(ran)
    return 'ran'
  } catch (error) {
    if (!(error instanceof RangeFailedError)) throw error
    const stopped = { stopped: true, problem: error.message }
    await db.updateTable('campaigns').set(stopped).where('id', '=', campaign.id).execute()
    return 'broken'
  }
}

async function runRange(simulator: Simulator, range: SeedRange): Promise<RangeResult | WorkerError> {
  const { firstSeed, lastSeed } = range
  try {
    const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index)
    const { atOnce = 1 } = simulator
    const worker = { atOnce, run: async (seed: number) => seedResult(await runSeed(simulator, seed)) }
    const results = await runInOrder([worker], seeds)
    return joinResults(results as [RangeResult, ...RangeResult[]])
  } catch (error) {
    if (error instanceof WorkerError) return error
    throw error
  }
}

async function responds({ db }: CampaignDatabase): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
