import { findCampaign, startCampaign } from '../../src/campaign/campaigns.ts'
import { openCampaigns } from '../../src/campaign/database/open.ts'
import { simulatedSeeds } from '../../src/campaign/simulatedSeeds.ts'
import { ownVersions } from '../../src/campaign/versions.ts'
import { work } from '../../src/campaign/work.ts'
import type { ScriptRun } from '../../src/runner/runScript.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import { withServer } from '../postgresServer.ts'

/** Describes what the queue costs, without the simulations. */
export interface QueueCost {
  readonly workers: number
  readonly ranges: number
  readonly seconds: number
  /** Of the whole database server and of this process, in one second of one core. */
  readonly rangesPerS: number
}

const IDLE: ScriptRun = { log: [], struck: {}, labels: [], judged: {}, problem: null }
/** A range of one seed that takes no time: what is left is what the queue and the database do for a range. */
const SEEDS_FOR_EACH_WORKER = 20

/** Workers that only wait take ranges of a campaign as fast as the queue gives them. */
export function measureQueue(workers: number): Promise<QueueCost> {
  return withServer(async (server) => {
    const database = await openCampaigns({
      url: server.urlOf('postgres'),
      connections: workers + 1,
      machine: 'waiting',
    })
    try {
      const versions = ownVersions()
      const lastSeed = workers * SEEDS_FOR_EACH_WORKER
      const id = await startCampaign(database, {
        ...{ firstSeed: 1, lastSeed, versions },
        plan: { suite: 'simulate' },
      })
      const startedMs = liveTime.nowMs()
      // On the clock of these machines a range takes a minute, so that each next one is a single seed.
      let nowMs = 0
      await work(database, {
        ...{ workers, versions, machine: 'waiting', campaign: id, untilDone: true },
        openRunner: (_plan, onEnded) =>
          simulatedSeeds(() => ({ run: async () => IDLE, stop: async () => {} }), onEnded),
        isLeaving: () => false,
        time: {
          nowMs: () => {
            nowMs += 60_000
            return nowMs
          },
          pass: liveTime.pass,
        },
        watch: { onRange: () => {}, onShrunk: () => {}, onProblem: console.error },
      })
      const seconds = (liveTime.nowMs() - startedMs) / 1_000
      const { rangesDone: ranges } = await findCampaign(database, id)
      return { workers, ranges, seconds, rangesPerS: ranges / seconds }
    } finally {
      await database.close()
    }
  })
}
