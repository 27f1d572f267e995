import { sql } from 'kysely'
import { type Campaign, openCampaignsOf } from './campaigns.ts'
import { type CampaignDatabase, CampaignDatabaseError } from './database/open.ts'
import { type Machine, OtherMachineError, refusalOf } from './machine.ts'
import type { OpenRunner, SeedPlan, SeedRunner } from './seedRunner.ts'
import { type Taker, type Turn, takeTurn } from './turn.ts'

export interface WorkOptions extends Machine {
  /** Number of concurrent workers, each with its own runner and connection. */
  readonly workers: number
  readonly machine: string
  /** The only campaign to work on; null: any that is open, the oldest first. */
  readonly campaign: string | null
  /** True to end when there is no open campaign to work on; false to wait for the next. */
  readonly untilDone: boolean
  /** Opens a runner, which works in its own process. */
  readonly openRunner: OpenRunner
  /** Returns whether to end after the current range. */
  readonly isLeaving: () => boolean
  /** For pauses only: no stored result depends on it. */
  readonly time: { pass(deltaMs: number): Promise<unknown> }
  readonly watch: WorkWatch
}

/** Callbacks for finished ranges, and for problems that the campaign survives. */
export type WorkWatch = Pick<Taker, 'onRange' | 'onProblem'>

/** Pause before looking for a range again, if there was none or the database did not respond. */
const PAUSE_MS = 1_000
/** Failed tries in a row that end a worker: about ten minutes without a response, or a few refusals by the database. */
const LOOKS = { away: 600, refusing: 5 } as const

/**
 * Works on campaigns: takes and runs one range after another, and stores the results.
 *
 * @throws {OtherMachineError} open campaigns exist, but none that this machine can work on. {CampaignDatabaseError}
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
  const { isLeaving, time, watch, untilDone } = options
  const runners = lastRunner(options)
  const looks = { away: 0, refusing: 0 }
  try {
    while (!isLeaving()) {
      const turn = await takeRange(database, options, runners.of).catch((error) => error as Error)
      if (turn instanceof OtherMachineError) throw turn
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
    await runners.stop()
  }
}

/** Takes a range of the oldest open campaign that has one. */
async function takeRange(
  database: CampaignDatabase,
  options: WorkOptions,
  runnerOf: (plan: SeedPlan) => Promise<SeedRunner>,
): Promise<Turn | 'finished'> {
  const { machine, watch } = options
  const open = await suitable(database, options)
  for (const campaign of open) {
    const turn = await takeTurn(campaign, database, runnerOf, { ...watch, machine })
    if (turn !== 'none') return turn
  }
  return open.length === 0 ? 'finished' : 'none'
}

/** Returns the open campaigns that this machine may work on. @throws {OtherMachineError} none of the open ones. */
async function suitable(database: CampaignDatabase, options: WorkOptions): Promise<readonly Campaign[]> {
  const { campaign } = options
  const open = (await openCampaignsOf(database)).filter(({ id }) => campaign === null || id === campaign)
  const refusals = open.map((each) => refusalOf(each, options))
  const suited = open.filter((_, index) => refusals[index] === null)
  const [refusal = null] = refusals
  if (suited.length === 0 && refusal !== null) throw refusal
  return suited
}

/** Keeps the runner of the last plan open, and replaces it when the plan changes. */
function lastRunner({ openRunner, watch }: WorkOptions) {
  let open: { readonly plan: string; readonly runner: SeedRunner } | null = null
  const stop = async () => open?.runner.stop()
  return {
    of: async (plan: SeedPlan): Promise<SeedRunner> => {
      const text = JSON.stringify(plan)
      if (open?.plan !== text) {
        await stop()
        open = { plan: text, runner: openRunner(plan, watch.onProblem) }
      }
      return open.runner
    },
    stop,
  }
}

async function responds({ db }: CampaignDatabase): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}
