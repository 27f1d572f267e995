import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { VENUE_IDS } from '../spec/venues.ts'
import type { ModelRoute } from '../venues-mock/models/venue.ts'
import { readVenueStates, type VenueStates } from '../venues-mock/state/venues.ts'
import { depthOf, drawnAmounts } from '../venues-mock/testing/amounts.ts'
import { chainQuotes } from '../venues-mock/testing/chainQuotes.ts'
import { venueRoutes } from '../venues-mock/testing/routes.ts'
import { type BaseWorld, baseWorld } from './baseWorld.ts'
import { poolsAt } from './pools.ts'
import { Trial, wordOf } from './trial.ts'

/** Random inputs per venue, from a fixed seed, over all of its routes in both directions; the edges of each route are added. */
const AMOUNTS_PER_VENUE = 40
/** More than Anvil gives a call, so that no quote runs out of gas. */
const GAS = 30_000_000

let sandbox: Sandbox
let world: BaseWorld
let states: VenueStates

beforeAll(async () => {
  ;[sandbox, world] = await Promise.all([startSandbox(), baseWorld()])
  states = await readVenueStates(sandbox.rpc.request, sandbox.manifest)
})
afterAll(() => sandbox.stop())

it('reads the pools as Anvil does, with their ticks', async () => {
  expect(await poolsAt(pointOf(world), world.manifest)).toEqual(states)
})

describe.each(VENUE_IDS)('the quotes of %s', (venueId) => {
  it('are the same by its exact model, by Anvil and by EthereumJS, to the base unit', async () => {
    const { manifest, rpc } = sandbox
    const routes = venueRoutes(manifest, states, venueId)
    const perRoute = Math.ceil(AMOUNTS_PER_VENUE / routes.length)
    const asked = routes.flatMap((route) => {
      const drawn = drawnAmounts(`${route.name} twice`, depthOf(route.model), perRoute)
      return edgesOf(route.model, drawn).map((amountIn) => ({ route, amountIn }))
    })
    const reader = { request: rpc.request, multicall3: manifest.multicall3, blockNumber: states.blockNumber }
    const questions = asked.map(({ route, amountIn }) => route.ask(amountIn))
    const anvil = await chainQuotes(reader, questions)
    const trial = new Trial(pointOf(world))
    const differences: unknown[] = []
    let priced = 0
    for (const [index, { route, amountIn }] of asked.entries()) {
      const { to, data } = route.ask(amountIn)
      const ethereumjs = wordOf(await trial.read({ to, data, gas: GAS }))
      const quote = route.model.quoteExactIn(amountIn)
      const model = 'amountOut' in quote ? quote.amountOut : null
      if (ethereumjs !== null) priced += 1
      if (model !== anvil[index] || model !== ethereumjs)
        differences.push({ route: route.name, amountIn, model, anvil: anvil[index], ethereumjs })
    }
    expect(differences).toEqual([])
    expect(asked.length).toBeGreaterThanOrEqual(AMOUNTS_PER_VENUE)
    expect(priced).toBeGreaterThan(0)
    expect(priced).toBeLessThan(asked.length)
  })
})

/** Returns one base unit, two inputs far beyond the reserves of any pool, and inputs around the depth of the route. */
function edgesOf(model: ModelRoute, drawn: readonly bigint[]): readonly bigint[] {
  const depth = depthOf(model)
  return [...new Set([1n, depth - 1n, depth + 1n, 2n ** 128n - 1n, 2n ** 255n, ...drawn])].filter(
    (amount) => amount > 0n,
  )
}

function pointOf({ state, context, hash, gasUsed }: BaseWorld) {
  return { state, context, hash, gasUsed, lowestTipWei: null }
}
