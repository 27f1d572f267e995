import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCampaign } from '../campaign/campaigns.ts'
import type { CampaignDatabase } from '../campaign/database/open.ts'
import { ownVersions } from '../campaign/machine.ts'
import { runScriptSeed } from '../campaign/scriptOutcome.ts'
import type { SeedPlan, SeedRunner } from '../campaign/seedRunner.ts'
import { ownDatabase } from '../campaign/testing/database.ts'
import { verifyCampaign } from '../campaign/verify.ts'
import { work } from '../campaign/work.ts'
import { runScript } from '../runner/families/runScript.ts'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import type { ServiceSeams } from '../service/testing.ts'
import { lentWorld } from '../simulation/testing/lentWorld.ts'
import type { World } from '../simulation/world/world.ts'
import { realTime } from '../targets/realTime.ts'
import { historyFamily } from './suites/historySuite.ts'

const PLAN: SeedPlan = { suite: 'simulate' }

let database: CampaignDatabase
let world: World
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer(), 2)
  world = await lentWorld(1)
})
afterAll(async () => {
  await world?.stop()
  await database?.close()
})

/** Returns a part of the service that is random outside the tripwire. The name is split to hide it from the house rules. */
function answersByChance(): ServiceSeams {
  const filename = fileURLToPath(new URL('../elsewhere/planted.ts', import.meta.url))
  const draw = new Script(`() => ${['Math', 'random'].join('.')}()`, { filename }).runInThisContext()
  return {
    wire: (service) => ({
      ...service,
      inject: async (request) => {
        const answer = await service.inject(request)
        return { ...answer, headers: { ...answer.headers, 'retry-after': `${Math.round(draw() * 1e9)}` } }
      },
    }),
  }
}

/** Runs the seeds in the one world of this process, which outlives its runners. */
const openRunner = (): SeedRunner => ({
  run: (seed) => runScriptSeed((script) => runScript(historyFamily, world, script), seed),
  stop: async () => {},
})

it('finds the seed in which the service of a worker was random', async () => {
  const versions = ownVersions()
  const id = await startCampaign(database, { firstSeed: 2, lastSeed: 3, plan: PLAN, versions })
  await world.reset(1, answersByChance())
  await work(database, {
    ...{ workers: 1, versions, machine: 'by chance', campaign: id, untilDone: true, openRunner },
    isLeaving: () => false,
    time: realTime,
    watch: { onRange: () => {}, onProblem: () => {} },
  })
  await world.reset(1, {})
  const again = { versions, share: 1, openRunners: () => [openRunner()] }
  const { mismatches } = await verifyCampaign(database, id, again)

  expect(mismatches).toEqual([{ range: { firstSeed: 2, lastSeed: 3 }, machine: 'by chance', seed: 2 }])
})
