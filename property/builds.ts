import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import { demandBuild } from '../src/harness/judgeSwap.ts'
import { judgeContext } from '../src/harness/lifecycle.ts'
import type { Property } from '../src/harness/properties.ts'
import { PromiseBrokenError } from '../src/harness/suite.ts'
import { parametersOf, type SwapAsk } from '../src/harness/swapFacts.ts'
import { worldClient } from '../src/harness/worldArena.ts'
import type { World } from '../src/simulation/world.ts'
import { MARKET } from '../src/spec/venues.ts'
import { asks, labelsOf, marketAsks } from './asks.ts'

const sender = ACCOUNTS.bob.address

/** Every build against every oracle that needs no execution: envelope, route, calldata, fee transfer, approvals. */
export const buildKeepsItsPromises: Property<World, SwapAsk> = {
  id: 'build.keeps-its-promises',
  title: 'feeTransfer plus swap equals amount, and the calldata holds exactly the minimum promised',
  requirements: ['build.fee-transfer.sum', 'tx.data.minimum', 'build.minimum.encoded', 'tx.value.native'],
  inputs: asks,
  runs: 80,
  floors: { 'fee-max': 3, 'fee-none': 3, 'native-in': 3, 'native-out': 3, built: 40, 'fee-transfer': 3 },
  holds: async (world, ask) => {
    const context = await judgeContext(world)
    const answer = await worldClient(world).build({ ...parametersOf(world.manifest, ask), sender })
    if (answer.status === 422) return [...labelsOf(ask), 'refused']
    if (answer.status !== 200)
      throw new PromiseBrokenError(
        'build.returns-transaction',
        'status 200 or 422',
        `status ${answer.status}`,
      )
    const build = demandBuild(answer.json, { ...ask, sender }, context)
    return [...labelsOf(ask), 'built', ...(build.feeTransfer === null ? [] : ['fee-transfer'])]
  },
}

/** What only the market can estimate is quoted as not executable, and never built (§4.1 rule 2). */
export const marketNeverBuilds: Property<World, SwapAsk> = {
  id: 'build.market-never-builds',
  title: 'a market estimate is never executable, and build answers 422',
  requirements: ['quote.market.not-executable', 'build.market.refused', 'build.no-executable-route.market'],
  inputs: marketAsks,
  runs: 40,
  floors: { market: 20 },
  holds: async (world, ask) => {
    const client = worldClient(world)
    const quote = await client.quote(parametersOf(world.manifest, ask))
    const route = (quote.json as { route: { engine: string; executable: boolean } | null }).route
    if (route !== null && route.engine === MARKET && route.executable)
      throw new PromiseBrokenError('quote.market.not-executable', 'executable: false', 'true')
    const build = await client.build({ ...parametersOf(world.manifest, ask), sender })
    const body = build.exchange.response.body
    if (build.status !== 422 || (build.json as { error?: unknown }).error !== 'no executable route')
      throw new PromiseBrokenError(
        'build.market.refused',
        '422 { error: "no executable route" }',
        `${build.status} ${body}`,
      )
    world.clock.advanceBy(2_000)
    return [...labelsOf(ask), route?.engine === MARKET ? 'market' : 'no-route']
  },
}
