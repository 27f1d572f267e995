import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rpc } from '../../sandbox/rpc.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { readVenueStates, type VenueStates } from '../state/venues.ts'
import { agreementAmounts } from '../testing/amounts.ts'
import { compareQuotes } from '../testing/compare.ts'

const AMOUNTS_PER_VENUE = 2_400

let sandbox: Sandbox
let rpc: Rpc
let manifest: Manifest
let states: VenueStates

const request = (method: string, params: readonly unknown[]) => rpc.request(method, params)

beforeAll(async () => {
  sandbox = await startSandbox()
  ;({ rpc, manifest } = sandbox)
  states = await readVenueStates(request, manifest)
})

afterAll(() => sandbox.stop())

describe.each(VENUE_IDS)('the model of %s', (venueId) => {
  it('answers every route as the venue does, to the base unit, and prices nothing that it does not', async () => {
    const comparison = await compareQuotes(request, manifest, states, venueId, (route, routes) => {
      const pools = states[venueId].filter(({ tokens }) => tokens.includes(route.tokenIn))
      return agreementAmounts(route.name, route.model, pools, Math.ceil(AMOUNTS_PER_VENUE / routes))
    })
    expect(comparison.differences).toEqual([])
    expect(comparison.compared).toBeGreaterThanOrEqual(AMOUNTS_PER_VENUE)
    // Priced and refused amounts must both occur often.
    expect(comparison.priced).toBeGreaterThan(comparison.compared / 2)
    expect(comparison.refused).toBeGreaterThan(comparison.routes)
  })
})
