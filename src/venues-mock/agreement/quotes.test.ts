import { beforeAll, describe, expect, it } from 'vitest'
import { useSandbox } from '../../sandbox/testing/useSandbox.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { readVenueStates, type VenueStates } from '../state/venues.ts'
import { agreementAmounts } from '../testing/amounts.ts'
import { compareQuotes } from '../testing/compare.ts'

const AMOUNTS_PER_VENUE = 2_400

const sandbox = useSandbox()
let states: VenueStates
beforeAll(async () => {
  states = await readVenueStates(sandbox.rpc.request, sandbox.manifest)
})

describe.each(VENUE_IDS)('the model of %s', (venueId) => {
  it('answers every route as the venue does, to the base unit, and prices nothing that it does not', async () => {
    const { rpc, manifest } = sandbox
    const comparison = await compareQuotes(rpc.request, manifest, states, venueId, (route, routes) => {
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
