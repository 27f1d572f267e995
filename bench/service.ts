import { quantile } from 'simple-statistics'
import { table } from '../src/reporting/document/textTable.ts'
import { sendSwap } from '../src/runner/executeBuild.ts'
import { startBareChain } from '../src/sandbox/bareChain.ts'
import { transportTo } from '../src/sandbox/ipc.ts'
import { createCarrier } from '../src/sandbox/rpc.ts'
import type { RpcCall, ServiceSeams } from '../src/service/testing.ts'
import { createWorld, sendBatch, type World } from '../src/simulation/world/world.ts'
import type { BuildResponse } from '../src/spec/wire.ts'
import { worldClient } from '../src/targets/environment/inProcess.ts'
import { ASK, BLOCKS, lifecycleThroughput, liveOnce, pastTheMemo, SENDER } from './lifecycle.ts'
import { type Comparison, compare, sample } from './measure.ts'
import { simulationThroughput } from './simulation.ts'

const ROUNDS = 60
/** Number of rounds with a quote: many, as quotes are short, so that other load does not affect the median. */
const QUOTE_ROUNDS = 400
const RESETS = 100
const LIFECYCLES = 100
const SIMULATIONS = 160

/** Sends a round trip over the service's transport, without the service. */
type Send = (calls: readonly RpcCall[]) => Promise<unknown>
type Row = readonly [name: string, comparison: Comparison, ratioMax: number | null]

/** Returns the round trips that the service made during `work`, to be repeated without it. */
async function tripsOf(world: World, work: () => Promise<unknown>) {
  const before = world.line.roundTrips.length
  await work()
  return world.line.roundTrips.slice(before).map((trip) => trip.calls)
}

/** Computes the last quote of the runs with HTTP handling again, without it. */
let quoteByRules: () => Promise<unknown> = () => Promise.reject(new Error('nothing was quoted yet'))
const KEEPING_THE_QUOTE: ServiceSeams = {
  domain: (rules) => ({
    ...rules,
    quoter: {
      quote: (request, caller) => {
        quoteByRules = () => rules.quoter.quote(request, caller)
        return rules.quoter.quote(request, caller)
      },
    },
  }),
}

/** Prints the overhead of the service over the raw calls that its work needs, and the throughput of simulations. */
export async function benchService(): Promise<void> {
  const worlds = [
    await createWorld({ seed: 1, seams: KEEPING_THE_QUOTE }),
    await createWorld({ seed: 1 }),
  ] as const
  const carrier = createCarrier({ url: worlds[0].manifest.rpcUrl })
  try {
    console.log(await compareWork(worlds[0], (calls) => sendBatch(carrier, calls)))
    console.log(await measureThroughput(worlds))
  } finally {
    carrier.close()
    await Promise.all(worlds.map((world) => world.stop()))
  }
}

async function compareWork(world: World, send: Send): Promise<string> {
  const client = worldClient(world)
  const quote = async () => {
    pastTheMemo(world)
    return client.quote(ASK)
  }
  const quoteAgain = () => {
    pastTheMemo(world)
    return quoteByRules()
  }
  const build = () => client.build({ ...ASK, sender: SENDER })
  const replay = (trips: Awaited<ReturnType<typeof tripsOf>>) => async () => {
    for (const calls of trips) await send(calls)
  }
  const quoteTrips = await tripsOf(world, quote)
  const buildTrips = await tripsOf(world, build)
  const rows: readonly Row[] = [
    ['quote / its raw round trip', await compare(QUOTE_ROUNDS, quoteAgain, replay(quoteTrips)), 1.2],
    ['quote with its HTTP handling / the same', await compare(QUOTE_ROUNDS, quote, replay(quoteTrips)), null],
    [
      'build with its HTTP handling / its raw round trips',
      await compare(ROUNDS, build, replay(buildTrips)),
      null,
    ],
    ['lifecycle / the same raw calls', await compareLifecycle(world, send), 2],
    [`mining ${BLOCKS} blocks / on an empty chain`, await compareMining(world), 2.5],
  ]
  const chainResetMs = quantile(await sample(RESETS, () => world.sandbox.reset()), 0.95)
  const resetMs = quantile(await sample(RESETS, () => world.reset(1)), 0.95)
  return table(
    ['what', `ms over ${transportTo(world.manifest.rpcUrl)}`, 'raw ms over the same', 'ratio', 'target'],
    [
      ...rows.map(([name, { subjectMs, baselineMs, ratio }, ratioMax]) => [
        name,
        ...[subjectMs, baselineMs, ratio].map((figure) => figure.toFixed(2)),
        ratioMax === null ? '' : `≤ ${ratioMax}`,
      ]),
      ['reset of the chain, p95', chainResetMs.toFixed(2), '', '', '≤ 5 ms'],
      ['reset of the world and its service, p95', resetMs.toFixed(2), '', '', '≤ 5 ms'],
      [`round trips: quote ${quoteTrips.length}, build ${buildTrips.length}`, '', '', '', '1, ≤ 3'],
    ],
    ['left', 'right', 'right', 'right', 'left'],
  )
}

/** Compares a credited lifecycle with the same work on the chain without the service, each in a world that was reset. */
async function compareLifecycle(world: World, send: Send): Promise<Comparison> {
  let built: BuildResponse | null = null
  const served = async () => {
    built = await liveOnce(world)
  }
  const reset = () => world.reset(1)
  await reset()
  const trips = await tripsOf(world, served)
  // Confirm comes after the swap, and makes three round trips.
  const [before, confirmed] = [trips.slice(0, -3), trips.slice(-3)]
  const bare = async () => {
    for (const calls of before) await send(calls)
    if (built !== null) await sendSwap(world, 'alice', built)
    await world.mine(BLOCKS)
    for (const calls of confirmed) await send(calls)
  }
  return compare(ROUNDS, served, bare, reset)
}

/** Compares blocks on the world's chain with blocks on an empty one. */
async function compareMining(world: World): Promise<Comparison> {
  const empty = await startBareChain()
  try {
    return await compare(
      ROUNDS,
      () => world.sandbox.chain.mine(BLOCKS),
      () => empty.chain.mine(BLOCKS),
      () => Promise.all([world.reset(1), empty.reset()]),
    )
  } finally {
    await empty.stop()
  }
}

async function measureThroughput(worlds: readonly [World, World]): Promise<string> {
  const baseMs = worlds[0].sandbox.base.timestampS * 1000
  const [one] = worlds
  const rows = [
    ['lifecycles, one world', await lifecycleThroughput([one], LIFECYCLES), ''],
    ['lifecycles, two worlds', await lifecycleThroughput(worlds, LIFECYCLES), '≥ 150'],
    ['random simulations, one worker', await simulationThroughput(1, SIMULATIONS, baseMs), ''],
    ['random simulations, two workers', await simulationThroughput(2, SIMULATIONS, baseMs), '≥ 15'],
  ] as const
  return table(
    ['what', 'a second', 'target', 'simulated / real time'],
    rows.map(([name, { perSecond, simulatedPerReal }, target]) => [
      name,
      perSecond.toFixed(1),
      target,
      Math.round(simulatedPerReal).toLocaleString('en'),
    ]),
    ['left', 'right', 'left', 'right'],
  )
}
