import { startCampaign } from '../../../src/campaign/campaigns.ts'
import { openCampaigns } from '../../../src/campaign/database/open.ts'
import type { SeedOutcome } from '../../../src/campaign/seedRunner.ts'
import { ownVersions } from '../../../src/campaign/versions.ts'
import { work } from '../../../src/campaign/work.ts'
import type { EmbeddedServer } from '../../../src/host/embeddedPostgres.ts'
import { realTime } from '../../../src/targets/realTime.ts'

/** A seed that takes no time: what is left is what the queue and the database do for a range. */
const IDLE: SeedOutcome = { steps: 0, labels: [], digest: '0'.repeat(64), failures: [] }
const RANGES_FOR_EACH_WORKER = 20

/** Lets workers that only wait take ranges of a campaign. Returns how many ranges a second the queue gives them. */
export async function measureQueue(server: EmbeddedServer, workers: number): Promise<number> {
  const machine = 'waiting'
  const url = server.urlOf('postgres')
  const database = await openCampaigns({ url, connections: workers + 1, machine })
  try {
    const versions = ownVersions()
    const ranges = workers * RANGES_FOR_EACH_WORKER
    // A range of cases is one seed.
    const plan = { suite: 'conform' } as const
    const id = await startCampaign(database, { firstSeed: 1, lastSeed: ranges, versions, plan })
    const startedMs = realTime.nowMs()
    await work(database, {
      ...{ workers, versions, machine, campaign: id, untilDone: true, time: realTime },
      openRunner: () => ({ run: async () => IDLE, stop: async () => {} }),
      isLeaving: () => false,
      watch: { onRange: () => {}, onShrunk: () => {}, onProblem: console.error },
    })
    return ranges / ((realTime.nowMs() - startedMs) / 1_000)
  } finally {
    await database.close()
  }
}
