import { afterAll, expect, it } from 'vitest'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import { useDatabases } from '../service/store/testing/eachDatabase.ts'
import { type CampaignOrder, listCampaigns, queueOf, startCampaign } from './campaigns.ts'
import { type CampaignDatabase, openCampaigns, takeJob } from './database/open.ts'
import { VERSIONS } from './testing/machine.ts'

const ORDER: CampaignOrder = {
  ...{ firstSeed: 1, lastSeed: 40, plan: { suite: 'simulate' } },
  versions: VERSIONS,
}

const server = useDatabases(sharedPostgresServer)
const opened: CampaignDatabase[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
})

it('opens an empty database concurrently from several machines', async () => {
  const url = await server.current.create()
  const opening = await Promise.allSettled(
    Array.from({ length: 8 }, () => openCampaigns({ url, connections: 2 })),
  )
  for (const each of opening) if (each.status === 'fulfilled') opened.push(each.value)
  expect(opening.filter(({ status }) => status === 'rejected')).toEqual([])
})

it('starts campaigns concurrently from several machines', async () => {
  const started = await Promise.allSettled(opened.map((database) => startCampaign(database, ORDER)))
  expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await listCampaigns(opened[0] as CampaignDatabase)).toHaveLength(opened.length)
})

it('starts while a range of another campaign is running', async () => {
  const [one, other] = opened as [CampaignDatabase, CampaignDatabase]
  const first = await startCampaign(one, ORDER)
  await one.db.transaction().execute(async (transaction) => {
    expect(await takeJob(one.queue, queueOf(first), transaction)).toMatchObject({ data: { firstSeed: 1 } })
    await startCampaign(other, ORDER)
  })
})

it('leaves no queue if a campaign cannot be started', async () => {
  const [{ queue }] = opened as [CampaignDatabase]
  const before = await queue.getQueues()
  const refused = startCampaign(opened[0] as CampaignDatabase, { ...ORDER, firstSeed: 41 })
  await expect(refused).rejects.toThrow('campaigns_seeds')
  expect(await queue.getQueues()).toEqual(before)
})
