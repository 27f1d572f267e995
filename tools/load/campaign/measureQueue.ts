import { findCampaign, startCampaign } from '../../../src/campaign/campaigns.ts'
import { openCampaigns } from '../../../src/campaign/database/open.ts'
import { simulatedSeeds } from '../../../src/campaign/simulatedSeeds.ts'
import { ownVersions } from '../../../src/campaign/versions.ts'
import { work } from '../../../src/campaign/work.ts'
import type { EmbeddedServer } from '../../../src/host/embeddedPostgres.ts'
import type { ScriptRun } from '../../../src/runner/runScript.ts'
import { realTime } from '../../../src/targets/realTime.ts'

const IDLE: ScriptRun = { log: [], struck: {}, labels: [], judged: {}, problem: null }
/** A range of one seed that takes no time: what is left is what the queue and the database do for a range. */
const SEEDS_FOR_EACH_WORKER = 20

/** Lets workers that only wait take ranges of a campaign. Returns how many ranges a second the queue gives them. */
export async function measureQueue(server: EmbeddedServer, workers: number): Promise<number> {
  const machine = 'waiting'
  const url = server.urlOf('postgres')
  const database = await openCampaigns({ url, connections: workers + 1, machine })
  try {
    const versions = ownVersions()
    const lastSeed = workers * SEEDS_FOR_EACH_WORKER
    const plan = { suite: 'simulate' } as const
    const id = await startCampaign(database, { firstSeed: 1, lastSeed, versions, plan })
    const startedMs = realTime.nowMs()
    // On the clock of these machines a range takes a minute, so that each next one is a single seed.
    let nowMs = 0
    await work(database, {
      ...{ workers, versions, machine, campaign: id, untilDone: true },
      openRunner: (_plan, onEnded) =>
        simulatedSeeds(() => ({ run: async () => IDLE, stop: async () => {} }), onEnded),
      isLeaving: () => false,
      time: {
        nowMs: () => {
          nowMs += 60_000
          return nowMs
        },
        pass: realTime.pass,
      },
      watch: { onRange: () => {}, onShrunk: () => {}, onProblem: console.error },
    })
    const seconds = (realTime.nowMs() - startedMs) / 1_000
    return (await findCampaign(database, id)).rangesDone / seconds
  } finally {
    await database.close()
  }
}
