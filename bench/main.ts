/**
 * Speed, as ratios within one run: what the service adds to the raw RPC calls that its work needs; and how much can be
 * simulated in how much time. Prints tables and asserts nothing of time: a busy machine must not fail a build.
 *
 * `--curves [KIND…] [--largest SIZE]` measures instead how costs grow with cases, venues, blocks, steps and results;
 * `--peers` how long other tools take for the same work.
 */
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import type { Ratio } from '../src/reporting/report/ratios.ts'
import { sendSwap } from '../src/runner/executeBuild.ts'
import { startBareChain } from '../src/sandbox/bareChain.ts'
import { transportTo } from '../src/sandbox/ipc.ts'
import { createCarrier } from '../src/sandbox/rpc.ts'
import type { RpcCall, ServiceSeams } from '../src/service/testing.ts'
import { createWorld, sendBatch, type World } from '../src/simulation/world.ts'
import type { BuildResponse } from '../src/spec/wire.ts'
import { worldClient } from '../src/targets/inProcess.ts'
import { benchCurves } from './curves/main.ts'
import { keepFigures } from './figures.ts'
import { ASK, BLOCKS, lifecycleThroughput, liveOnce, pastTheMemo, SENDER } from './lifecycle.ts'
import { type Comparison, compare, quantile, sample } from './measure.ts'
import { benchPeers } from './peers/compare.ts'
import { simulationThroughput } from './simulation.ts'

const ROUNDS = 60
/** A quote is short: many of them, so that other load on the machine does not move the median. */
const QUOTE_ROUNDS = 400
const LIFECYCLES = 100
const SIMULATIONS = 160
const LIFECYCLE = 'lifecycle / the same raw calls'
const MINING = `mining ${BLOCKS} blocks / on an empty chain`

const HELP = `npm run bench -- [--curves [KIND…] [--largest SIZE] | --peers]

Ratios within one run, which do not depend on the machine: the service's work and the raw calls that it needs. Each mode keeps
its figures in reports/bench/ratios.json, for \`plumbline report --bench\`.

  --curves [KIND…]  how costs grow with cases, venues, blocks, steps and results
  --largest SIZE    the curves up to this size
  --peers           the same work on fresh Anvils, prool, Hardhat 3 and tevm, for about five minutes. Installs them, and the Node 22
                    that they need, into bench/peers where they are not there: about 110 MB, 490 MB unpacked.`

/** Sends a round trip as the service sends its own: over the same transport, without the service. */
type Send = (calls: readonly RpcCall[]) => Promise<unknown>

/** The round trips that the service made during `work`, to be sent again without it. */
async function tripsOf(world: World, work: () => Promise<unknown>) {
  const before = world.line.roundTrips.length
  await work()
  return world.line.roundTrips.slice(before).map((trip) => trip.calls)
}

/** The last quote of the runs with HTTP handling, computed again without it. */
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

async function benchService(): Promise<void> {
  const worlds = [
    await createWorld({ seed: 1, seams: KEEPING_THE_QUOTE }),
    await createWorld({ seed: 1 }),
  ] as const
  const carrier = createCarrier({ url: worlds[0].manifest.rpcUrl })
  try {
    const { table, ratios } = await compareWork(worlds[0], (calls) => sendBatch(carrier, calls))
    keepFigures({ ratios })
    console.log(table.toString())
    const throughput = await measureThroughput(worlds)
    keepFigures({ ratios: throughput.ratios })
    console.log(throughput.table.toString())
  } finally {
    carrier.close()
    await Promise.all(worlds.map((world) => world.stop()))
  }
}

async function compareWork(
  world: World,
  send: Send,
): Promise<{ readonly table: Table.Table; readonly ratios: readonly Ratio[] }> {
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
  const rows = [
    await compare('quote / its raw round trip', QUOTE_ROUNDS, 1.5, quoteAgain, replay(quoteTrips)),
    await compare('quote with its HTTP handling / the same', QUOTE_ROUNDS, null, quote, replay(quoteTrips)),
    await compare(
      'build with its HTTP handling / its raw round trips',
      ROUNDS,
      null,
      build,
      replay(buildTrips),
    ),
    await compareLifecycle(world, send),
    await compareMining(world),
  ]
  const over = transportTo(world.manifest.rpcUrl)
  const chainResets = await sample(100, () => world.sandbox.reset())
  const resets = await sample(100, () => world.reset(1))

  const table = newTable(['what', `ms over ${over}`, 'raw ms over the same', 'ratio', 'target'])
  for (const { name, subjectMs, baselineMs, ratio, ratioMax } of rows) {
    table.push([
      name,
      subjectMs.toFixed(2),
      baselineMs.toFixed(2),
      ratio.toFixed(2),
      ratioMax === null ? '' : `≤ ${ratioMax}`,
    ])
  }
  const resetMs = quantile(resets, 0.95)
  table.push(['reset of the chain, p95', quantile(chainResets, 0.95).toFixed(2), '', '', '≤ 5 ms'])
  table.push(['reset of the world and its service, p95', resetMs.toFixed(2), '', '', '≤ 5 ms'])
  table.push([`round trips: quote ${quoteTrips.length}, build ${buildTrips.length}`, '', '', '', '1, ≤ 3'])
  const ratios = rows.map(({ name, subjectMs, baselineMs, ratio, ratioMax }) => ({
    name,
    what: `${subjectMs.toFixed(2)} ms compared with ${baselineMs.toFixed(2)} ms, both over ${over}`,
    value: ratio,
    atMost: ratioMax,
    unit: '×',
  }))
  const reset = {
    name: 'reset of the world, p95',
    what: `${resets.length} resets`,
    value: resetMs,
    atMost: 5,
    unit: 'ms',
  }
  const raw = rows.flatMap(({ name, subjectMs, baselineMs }) => {
    if (name === LIFECYCLE) return [timeOf('the raw calls of a lifecycle', baselineMs, 15)]
    return name === MINING ? [timeOf(`mining ${BLOCKS} blocks`, subjectMs, null)] : []
  })
  return { table, ratios: [...ratios, ...raw, reset] }
}

/** A median that is no ratio. */
function timeOf(name: string, value: number, atMost: number | null): Ratio {
  return { name, what: `median of ${ROUNDS}`, value, atMost, unit: 'ms' }
}

/** A credited lifecycle against the same work on the chain without the service, each in a world that was reset. */
async function compareLifecycle(world: World, send: Send): Promise<Comparison> {
  let built: BuildResponse | null = null
  const served = async () => {
    built = await liveOnce(world)
  }
  const reset = () => world.reset(1)
  await reset()
  const trips = await tripsOf(world, served)
  // Confirm comes after the swap, and makes three round trips.
  const [asked, confirmed] = [trips.slice(0, -3), trips.slice(-3)]
  const bare = async () => {
    for (const calls of asked) await send(calls)
    if (built !== null) await sendSwap(world, 'alice', built)
    await world.mine(BLOCKS)
    for (const calls of confirmed) await send(calls)
  }
  return compare(LIFECYCLE, ROUNDS, 1.25, served, bare, reset)
}

/** Blocks on the world's chain against blocks on an empty one. */
async function compareMining(world: World): Promise<Comparison> {
  const empty = await startBareChain()
  const reset = () => Promise.all([world.reset(1), empty.reset()])
  try {
    return await compare(
      MINING,
      ROUNDS,
      2.5,
      () => world.sandbox.chain.mine(BLOCKS),
      () => empty.chain.mine(BLOCKS),
      reset,
    )
  } finally {
    await empty.stop()
  }
}

async function measureThroughput(
  worlds: readonly [World, World],
): Promise<{ readonly table: Table.Table; readonly ratios: readonly Ratio[] }> {
  const baseMs = worlds[0].sandbox.base.timestampS * 1000
  const [one] = worlds
  const rows = [
    ['lifecycles, one world', await lifecycleThroughput([one], LIFECYCLES, 'at-once'), null],
    ['lifecycles, two worlds', await lifecycleThroughput(worlds, LIFECYCLES, 'at-once'), 100],
    ['lifecycles to the end of the window', await lifecycleThroughput([one], LIFECYCLES, 'at-the-end'), null],
    ['random simulations, one worker', await simulationThroughput(1, SIMULATIONS, baseMs), 8],
    ['random simulations, two workers', await simulationThroughput(2, SIMULATIONS, baseMs), 15],
  ] as const
  const table = newTable(['what', 'a second', 'target', 'simulated / real time', 'target'])
  for (const [name, { perSecond, simulatedPerReal }, least] of rows) {
    const wholeRatio = Math.round(simulatedPerReal).toLocaleString('en')
    const target = least === null ? '' : `≥ ${least}`
    table.push([name, perSecond.toFixed(1), target, wholeRatio, name.endsWith('window') ? '≥ 10,000' : ''])
  }
  const ratios = rows.map(([name, { perSecond, simulatedPerReal }, least]) => ({
    name,
    what: `${Math.round(simulatedPerReal).toLocaleString('en')} simulated seconds each second`,
    value: perSecond,
    atMost: null,
    ...(least === null ? {} : { atLeast: least }),
    unit: 'a second',
  }))
  return { table, ratios }
}

function newTable(head: string[]): Table.Table {
  return new Table({ head, style: { head: [], border: [] } })
}

const { values, positionals } = parseArgs({
  options: {
    curves: { type: 'boolean', default: false },
    largest: { type: 'string' },
    peers: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
})
if (values.help) console.log(HELP)
else if (values.peers) await benchPeers()
else if (values.curves) await benchCurves(positionals, Number(values.largest ?? Number.POSITIVE_INFINITY))
else await benchService()
