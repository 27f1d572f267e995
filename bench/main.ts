/**
 * Speed, as ratios within one run: what the service adds to the raw RPC calls that its work needs. Prints a table and
 * asserts nothing: a busy machine must not fail a build.
 */
import Table from 'cli-table3'
import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import { sendSwap } from '../src/harness/lifecycle.ts'
import { worldClient } from '../src/harness/worldArena.ts'
import { createHttpChain } from '../src/service/system/chain.ts'
import { createWorld, type World } from '../src/simulation/world.ts'
import type { BuildResponse } from '../src/spec/wire.ts'
import { type Comparison, compare, quantile, sample } from './measure.ts'

const ASK = { from: 'ETH', to: 'USDG', amount: 0.5, slippageBps: 50 }
const ROUNDS = 60
const TIMEOUT = { timeoutMs: 60_000 }

/** Forgets the memo, so that each quote asks the chain. */
const pastTheMemo = (world: World) => world.clock.advanceBy(2_000)

/** The round trips that the service made during `work`, to be sent again without it. */
async function tripsOf(world: World, work: () => Promise<unknown>) {
  const before = world.line.roundTrips.length
  await work()
  return world.line.roundTrips.slice(before).map((trip) => trip.calls)
}

async function main(): Promise<void> {
  const world = await createWorld({ seed: 1 })
  const raw = createHttpChain(world.manifest.rpcUrl)
  try {
    const client = worldClient(world)
    const quote = async () => {
      pastTheMemo(world)
      return client.quote(ASK)
    }
    const sender = ACCOUNTS.alice.address
    const build = () => client.build({ ...ASK, sender })
    const replay = (trips: Awaited<ReturnType<typeof tripsOf>>) => async () => {
      for (const calls of trips) await raw.send(calls, TIMEOUT)
    }
    const quoteTrips = await tripsOf(world, quote)
    const buildTrips = await tripsOf(world, build)

    const comparisons: Comparison[] = [
      await compare('quote / its raw round trip', ROUNDS, 1.5, quote, replay(quoteTrips)),
      await compare('build / its raw round trips', ROUNDS, 1.5, build, replay(buildTrips)),
      await lifecycles(world, replay([...quoteTrips, ...buildTrips])),
    ]
    const resets = await sample(100, () => world.sandbox.reset())

    const table = new Table({
      head: ['what', 'ms', 'raw ms', 'ratio', 'target'],
      style: { head: [], border: [] },
    })
    for (const row of comparisons) {
      table.push([
        row.name,
        row.subjectMs.toFixed(2),
        row.baselineMs.toFixed(2),
        row.ratio.toFixed(2),
        `≤ ${row.ratioMax}`,
      ])
    }
    const lifecycle = comparisons.at(-1)
    table.push(['reset of the world, p95', quantile(resets, 0.95).toFixed(2), '', '', '≤ 5 ms'])
    table.push([
      'whole lifecycles a second',
      (1000 / (lifecycle?.subjectMs ?? Number.NaN)).toFixed(1),
      '',
      '',
      '',
    ])
    table.push([`round trips: quote ${quoteTrips.length}, build ${buildTrips.length}`, '', '', '', '1, ≤ 3'])
    console.log(table.toString())
  } finally {
    raw.close()
    await world.stop()
  }
}

/** Quote, build, sign, send, twelve blocks, confirm; against the same chain work without the service. */
async function lifecycles(world: World, askRaw: () => Promise<void>): Promise<Comparison> {
  const client = worldClient(world)
  const sender = ACCOUNTS.alice.address
  let lastBuild: BuildResponse | null = null
  const served = async () => {
    await world.sandbox.reset()
    pastTheMemo(world)
    await client.quote(ASK)
    const built = (await client.build({ ...ASK, sender })).json as BuildResponse
    lastBuild = built
    const { hash } = await sendSwap(world, 'alice', built)
    await world.sandbox.chain.mine(12)
    const head = await world.sandbox.chain.head()
    world.clock.advanceTo(head.timestampS * 1000)
    await client.confirm({ buildId: built.attribution?.buildId, txHash: hash })
  }
  const confirmTrips = (await tripsOf(world, served)).slice(-3)
  const raw = createHttpChain(world.manifest.rpcUrl)
  const bare = async () => {
    if (lastBuild === null) return
    await world.sandbox.reset()
    await askRaw()
    await sendSwap(world, 'alice', lastBuild)
    await world.sandbox.chain.mine(12)
    for (const calls of confirmTrips) await raw.send(calls, TIMEOUT)
  }
  try {
    return await compare('lifecycle / the same raw calls', ROUNDS, 1.5, served, bare)
  } finally {
    raw.close()
  }
}

await main()
