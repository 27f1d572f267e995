import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnvilNode, startAnvil } from '../../sandbox/anvil.ts'
import { createRpc, type Rpc } from '../../sandbox/rpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { deployWorld } from '../deploy/deployWorld.ts'
import { readVenueStates, type VenueStates } from '../state/venues.ts'
import { agreementAmounts } from '../testing/amounts.ts'
import { compareQuotes } from '../testing/compare.ts'

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
    const comparison = await compareQuotes(request, manifest, states, venueId, (route, routes) => {
      const pools = states[venueId].filter(({ tokens }) => tokens.includes(route.tokenIn))
      return agreementAmounts(route.name, route.model, pools, Math.ceil(AMOUNTS_PER_VENUE / routes))
    })
    expect(comparison.differences).toEqual([])
    expect(comparison.compared).toBeGreaterThanOrEqual(AMOUNTS_PER_VENUE)
    // Neither side of the line may be empty.
    expect(comparison.priced).toBeGreaterThan(comparison.compared / 2)
    expect(comparison.refused).toBeGreaterThan(comparison.routes)
  })
})
