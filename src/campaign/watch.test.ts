import { expect, it } from 'vitest'
import type { CampaignStatus } from './status.ts'
import { type CampaignSnapshot, watchCampaign } from './watch.ts'

const LOOK_MS = 1_000
const status = (seedsDone: number, how: object = {}) =>
  ({ campaign: { seedsDone, isFinished: false, isStopped: false, ...how } }) as unknown as CampaignStatus

/** Looks that come to these one after another, in a time of which only what is waited for passes. */
function looks(comes: readonly (CampaignStatus | Error | 'nothing')[]) {
  const seen: CampaignSnapshot[] = []
  let given = 0
  let isSilent = false
  const watching = watchCampaign(
    async () => {
      const next = comes[given]
      given += 1
      if (next === undefined) throw new Error('nobody looks again')
      isSilent = next === 'nothing'
      if (next === 'nothing') return new Promise(() => {})
      if (next instanceof Error) throw next
      return next
    },
    {
      isLeaving: () => false,
      onSnapshot: (sight) => seen.push(sight),
      // Only where nothing comes the time is over that a look may take.
      time: {
        pass: (ms) => (ms === LOOK_MS || isSilent ? Promise.resolve() : new Promise(() => {})),
      },
    },
  )
  return { seen, watching }
}

it('looks until a campaign has finished or was stopped', async () => {
  for (const how of [{ isFinished: true }, { isStopped: true }]) {
    const last = status(3, how)
    const { seen, watching } = looks([status(1), status(2), last])
    expect(await watching).toEqual({ status: last, away: null })
    expect(seen.map((sight) => sight.status.campaign.seedsDone)).toEqual([1, 2, 3])
  }
})

it('shows what it saw last while the database is away or silent, and goes on afterwards', async () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED\n  at somewhere')])
  const { seen, watching } = looks([
    status(1),
    refused,
    'nothing',
    new Error('the connection ended'),
    status(2),
    status(2, { isFinished: true }),
  ])
  await watching
  expect(seen.map(({ status: { campaign }, away }) => [campaign.seedsDone, away])).toEqual([
    [1, null],
    [1, 'connect ECONNREFUSED'],
    [1, 'no response within 10 s'],
    [1, 'the connection ended'],
    [2, null],
    [2, null],
  ])
})

it('gives up a database that is away for ten minutes', async () => {
  const gone = Array.from({ length: 601 }, () => new Error('gone'))
  await expect(looks([status(1), ...gone]).watching).rejects.toMatchObject({
    name: 'CampaignDatabaseError',
    message: expect.stringContaining('gone'),
  })
})

it('throws what the first look throws, as of a campaign that is not there', async () => {
  await expect(looks([new Error('no campaign nosuch')]).watching).rejects.toThrow('no campaign nosuch')
})
