import { expect, test } from 'vitest'
import { VENUE_IDS } from '../../spec/venues.ts'
import type { QuoteResponse } from '../../spec/wire.ts'
import { inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import { useWorld } from '../testing/lentWorld.ts'

const world = useWorld(1)

/** Neither side is a coin: one venue is also queried for the price of gas. */
const ASK = { from: 'USDG', to: 'DUSD', amount: 1_234.56 }

test.each(VENUE_IDS)('%s, never answering, costs a quote of the reference only itself', async (silent) => {
  await world.reset(1)
  const environment = inProcessEnvironment(world)
  await environment.line?.inject(`hanging-${silent}`)
  const { status, json } = await environment.client().quote(ASK)
  expect(status).toBe(200)
  const seen = (json as QuoteResponse).route?.alternatives.map(({ engine }) => engine)
  expect(seen?.toSorted()).toEqual(VENUE_IDS.filter((id) => id !== silent))
})

test('a chain that never answers is given up in time, and is asked again once it answers', async () => {
  await world.reset(1)
  const environment = inProcessEnvironment(world)
  await environment.line?.inject('hanging')
  expect((await environment.client().quote(ASK)).status).toBe(502)
  await environment.line?.restore()
  expect((await environment.client().quote(ASK)).status).toBe(200)
})
