import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, startCampaign, stopCampaign } from './campaigns.ts'
import { readStatus } from './read.ts'
import { type OwnDatabase, ownDatabase } from './testing/database.ts'
import { leavingAfter, VERSIONS } from './testing/machine.ts'
import { work } from './work.ts'

const FLOORS = { 'step: mine': 1, 'never met': 2 }
const HOUR_S = 3_600

let database: OwnDatabase
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer(), 3)
})
afterAll(() => database?.close())

const start = (order: Partial<CampaignOrder>) =>
  startCampaign(database, {
    ...{ firstSeed: 1, lastSeed: 40, plan: { suite: 'simulate' }, versions: VERSIONS },
    ...order,
  })
const status = (id: string) => readStatus(database, id, () => FLOORS)

/** Finishes this many ranges on one machine. */
async function finish(id: string, ranges = Number.POSITIVE_INFINITY, machine = 'here'): Promise<void> {
  await work(database, leavingAfter(ranges, { machine, campaign: id }))
}

it('sums up what the ranges met, and who finished them', async () => {
  const id = await start({})
  await finish(id, 2, 'there')
  const half = await status(id)
  expect(half).toMatchObject({ verdict: 'does-not-conform', campaign: { seedsDone: 10 } })
  await finish(id)
  const { states, floors, machines, verdict, failures } = await status(id)
  expect(floors).toEqual([
    { label: 'step: mine', floor: 1, met: states['step: mine'] },
    { label: 'never met', floor: 2, met: 0 },
  ])
  expect(machines).toEqual([
    { machine: 'here', ranges: 6, seeds: 30, inHand: 0 },
    { machine: 'there', ranges: 2, seeds: 10, inHand: 0 },
  ])
  expect(verdict).toBe('does-not-conform')
  expect(failures).toHaveLength(1)
})

it('is inconclusive while seeds are left, or a floor is not reached', async () => {
  const id = await start({ lastSeed: 6 })
  await finish(id, 1)
  expect((await readStatus(database, id, () => ({}))).verdict).toBe('inconclusive')
  await finish(id)
  expect((await readStatus(database, id, () => ({}))).verdict).toBe('conforms')
  expect((await status(id)).verdict).toBe('inconclusive')
})

it('leaves out ranges beyond the seed at which a campaign ended', async () => {
  const id = await start({ stopOnFailure: true, lastSeed: 30 })
  // The seeds from 11 on are finished first.
  const [held] = await database.queue.fetch<object>(`ranges-${id}`, { batchSize: 1 })
  const [second] = await database.queue.fetch<object>(`ranges-${id}`, { batchSize: 1 })
  await finish(id, 1, 'beyond')
  for (const job of [held, second]) await database.queue.fail(`ranges-${id}`, job?.id ?? '')
  expect((await status(id)).machines).toMatchObject([{ machine: 'beyond', seeds: 4 }])
  await finish(id)
  const { campaign, machines } = await status(id)
  expect(campaign).toMatchObject({ lastSeed: 7, seedsDone: 7, isFinished: true })
  expect(machines).toEqual([{ machine: 'here', ranges: 2, seeds: 7, inHand: 0 }])
})

it('has as much time left as its seeds or its budget, whichever is less; none once it is stopped', async () => {
  const byBudget = await start({ lastSeed: 900_000_000, budgetMs: HOUR_S * 1_000 })
  expect((await status(byBudget)).leftS).toBeNull()
  await finish(byBudget, 1)
  expect((await status(byBudget)).leftS).toSatisfy((leftS) => leftS > 0 && leftS <= HOUR_S)
  const bySeeds = await start({ budgetMs: 100 * HOUR_S * 1_000 })
  await finish(bySeeds, 1)
  expect((await status(bySeeds)).leftS).toSatisfy((leftS) => leftS > 0 && leftS < 10 * HOUR_S)
  await stopCampaign(database, bySeeds)
  expect((await status(bySeeds)).leftS).toBeNull()
})
