import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnvilNode, startAnvil } from '../../sandbox/anvil.ts'
import { createRpc, type Rpc } from '../../sandbox/rpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { deployWorld } from '../deploy/deployWorld.ts'
import { readVenueStates, type VenueStates } from '../state/venues.ts'
import { agreementAmounts } from './amounts.ts'
import { chainQuotes } from './chainQuotes.ts'
import { venueRoutes } from './routes.ts'

const AMOUNTS_PER_VENUE = 2_400

let node: AnvilNode
let rpc: Rpc
let manifest: Manifest
let states: VenueStates

const request = (method: string, params: readonly unknown[]) => rpc.request(method, params)

beforeAll(async () => {
  node = await startAnvil()
  rpc = createRpc({ url: node.url, ended: node.ended })
  await rpc.request('anvil_setBlockTimestampInterval', [1])
  const client = { request: rpc.request, batch: rpc.batch, mine: () => rpc.request('evm_mine') }
  manifest = await deployWorld(client, { rpcUrl: node.url })
  states = await readVenueStates(request, manifest)
})

afterAll(async () => {
  rpc.close()
  await node.stop()
})

describe.each(VENUE_IDS)('the model of %s', (venueId) => {
  it('answers every route as the venue does, to the base unit, and prices nothing that it does not', async () => {
    const routes = venueRoutes(manifest, states, venueId)
    const perRoute = Math.ceil(AMOUNTS_PER_VENUE / routes.length)
    const asked = routes.flatMap((route) =>
      agreementAmounts(route.name, route.model, states[venueId], perRoute).map((amountIn) => ({
        route,
        amountIn,
      })),
    )
    const answers = await chainQuotes(
      request,
      manifest.multicall3,
      states.blockNumber,
      asked.map(({ route, amountIn }) => route.ask(amountIn)),
    )
    const differences = asked.flatMap(({ route, amountIn }, index) => {
      const quote = route.model.quoteExactIn(amountIn)
      const modelled = 'amountOut' in quote ? quote.amountOut : null
      return modelled === answers[index]
        ? []
        : [{ route: route.name, amountIn, quote, chain: answers[index] }]
    })
    expect(differences).toEqual([])
    expect(asked.length).toBeGreaterThanOrEqual(AMOUNTS_PER_VENUE)
    // Neither side of the comparison may be empty.
    expect(answers.filter((answer) => answer !== null && answer > 0n).length).toBeGreaterThan(
      asked.length / 2,
    )
    expect(answers.filter((answer) => answer === null).length).toBeGreaterThan(routes.length)
  })
})
