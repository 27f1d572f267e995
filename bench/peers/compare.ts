import { readFileSync } from 'node:fs'
import Table from 'cli-table3'
import type { Ratio, Ratios } from '../../src/reporting/report/ratios.ts'
import { forkWorker } from '../../src/runner/workers.ts'
import { transportTo } from '../../src/sandbox/ipc.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { createWorld, type World } from '../../src/simulation/world.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { worldClient } from '../../src/targets/inProcess.ts'
import { CREATE2_DEPLOYER } from '../../src/venues-mock/deploy/operators.ts'
import { keepFigures } from '../figures.ts'
import { ASK, liveOnce, SENDER } from '../lifecycle.ts'
import { quantile, sample } from '../measure.ts'
import { installPeers } from './install.ts'
import { PEERS, type Peer } from './peers.ts'
import type { PeerJob } from './program.ts'
import { differenceOf, type Isolation, type Round, runRound, type Work } from './round.ts'

const PROGRAM = new URL('./program', import.meta.url)
/** Rounds with each peer; less where they take longer than the time in all. */
const ROUNDS = 40
const ROUNDS_MIN = 3
const PEER_TIME_MS = 30_000
/** What is timed in a round. */
const TIMED = ['isolation', 'lifecycle'] as const

interface Pair {
  readonly ours: Round
  readonly theirs: Round
}

/**
 * Prints how long the peers take for the same work, and keeps the ratios.
 *
 * @throws {Error} the peers cannot be installed.
 */
export async function benchPeers(): Promise<void> {
  const { ratios, notRun, table } = await comparePeers()
  keepFigures({ ratios, notRun })
  console.log(table.toString())
}

/** The ratios to the peers, and those that did not do the work. */
interface PeerComparison {
  readonly ratios: readonly Ratio[]
  readonly notRun: Ratios['notRun']
  readonly table: Table.Table
}

/** Does the same on each peer and here, in turn, round by round: gets from the last test to an untouched world, and swaps in it. */
async function comparePeers(): Promise<PeerComparison> {
  const node = installPeers()
  const world = await createWorld({ seed: 1 })
  try {
    const work = await describeWork(world)
    const ours = isolationOf(world)
    const { evidence } = await runRound(ours, work)
    const ratios: Ratio[] = []
    const notRun: { name: string; reason: string }[] = []
    const all: Round[] = []
    for (const [index, peer] of PEERS.entries()) {
      const name = `${versioned(peer)}: ${peer.name}`
      console.log(`… ${name}`)
      try {
        const pairs = await measurePairs(node, { index, work }, async () => {
          const round = await runRound(ours, work)
          demandSame(evidence, round)
          return round
        })
        all.push(...pairs.map((pair) => pair.ours))
        ratios.push(...TIMED.map((part) => ratioOf(peer, part, pairs)))
      } catch (error) {
        const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
        notRun.push({ name, reason: reason.replace(/^a worker failed: (?:Error: )?/, '') })
      }
    }
    const served = {
      isolation: await sample(ROUNDS, () => world.reset(1)),
      lifecycle: await sampleLifecycles(world),
    }
    return { ratios, notRun, table: tableOf(world, all, served, ratios, notRun) }
  } finally {
    await world.stop()
  }
}

/** The swap that the service builds, and what a peer needs to have the same world. */
export async function describeWork(world: World): Promise<Work> {
  const { manifest, sandbox } = world
  const { tx } = (await worldClient(world).build({ ...ASK, sender: SENDER })).json as BuildResponse
  const tokenOut = manifest.registry.find(({ symbol }) => symbol === ASK.to)
  if (tokenOut === undefined) throw new Error(`the registry has no ${ASK.to}`)
  // Only a world with state roots can be dumped.
  const source = await startSandbox()
  try {
    return {
      create2Code: await sandbox.rpc.request<string>('eth_getCode', [CREATE2_DEPLOYER, 'latest']),
      dump: await source.rpc.request<string>('anvil_dumpState'),
      contracts: [manifest.settlement.address, ...manifest.venues.map(({ address }) => address)],
      swap: { to: tx.to as `0x${string}`, data: tx.data as `0x${string}`, valueWei: tx.value },
      tokenOut: tokenOut.address,
    }
  } finally {
    await source.stop()
  }
}

export function isolationOf({ sandbox }: World): Isolation {
  const chain = { ...sandbox.rpc, mine: (count?: number) => sandbox.chain.mine(count) }
  return {
    next: async () => {
      await sandbox.reset()
      return chain
    },
    close: async () => {},
  }
}

/** Rounds here and there in turn, after one that warms both up. */
async function measurePairs(
  node: string,
  job: PeerJob,
  ownRound: () => Promise<Round>,
): Promise<readonly Pair[]> {
  const worker = forkWorker<PeerJob, null, Round>(PROGRAM, job, node)
  const measurePair = async (): Promise<Pair> => {
    const ours = await ownRound()
    const theirs = await worker.run(null)
    demandSame(ours.evidence, theirs)
    return { ours, theirs }
  }
  try {
    await measurePair()
    const pairs: Pair[] = []
    const start = performance.now()
    while (pairs.length < ROUNDS && (pairs.length < ROUNDS_MIN || performance.now() - start < PEER_TIME_MS)) {
      pairs.push(await measurePair())
    }
    return pairs
  } finally {
    await worker.stop()
  }
}

function demandSame(expected: Round['evidence'], { evidence }: Round): void {
  const difference = differenceOf(expected, evidence)
  if (difference !== null) throw new Error(`it did not do the work: ${difference}`)
}

/** The whole lifecycle with the service, each in a world that was reset. */
async function sampleLifecycles(world: World): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await world.reset(1)
    times.push(...(await sample(1, () => liveOnce(world))))
  }
  return times
}

function ratioOf(peer: Peer, work: (typeof TIMED)[number], pairs: readonly Pair[]): Ratio {
  const time = (round: Round) => round[`${work}Ms`]
  const [ours, theirs] = [pairs.map((pair) => time(pair.ours)), pairs.map((pair) => time(pair.theirs))]
  const [oursMs, oursP95Ms] = [quantile(ours, 0.5), quantile(ours, 0.95)]
  const [theirsMs, theirsP95Ms] = [quantile(theirs, 0.5), quantile(theirs, 0.95)]
  const name = versioned(peer)
  return {
    name: `${work} of ${SHOWN[peer.from]}, ${peer.name} / ours`,
    what: `${theirsMs.toFixed(2)} ms ${peer.transport === 'HTTP' ? 'over HTTP' : 'in process'} compared with ${oursMs.toFixed(2)} ms over a local socket, ${pairs.length} rounds`,
    value: quantile(
      pairs.map((pair) => time(pair.theirs) / time(pair.ours)),
      0.5,
    ),
    atMost: null,
    unit: '×',
    peer: {
      name,
      way: peer.name,
      transport: peer.transport,
      work,
      oursMs,
      oursP95Ms,
      theirsMs,
      theirsP95Ms,
    },
  }
}

function tableOf(
  world: World,
  ours: readonly Round[],
  served: Readonly<Record<(typeof TIMED)[number], readonly number[]>>,
  ratios: readonly Ratio[],
  notRun: PeerComparison['notRun'],
): Table.Table {
  const head = ['what', 'over', 'isolation ms', 'p95', '/ ours', 'lifecycle ms', 'p95', '/ ours']
  const table = new Table({ head, style: { head: [], border: [] } })
  const figures = (times: readonly number[]) => [shown(quantile(times, 0.5)), shown(quantile(times, 0.95))]
  const over = transportTo(world.manifest.rpcUrl)
  const isolationMs = ours.map((round) => round.isolationMs)
  const lifecycleMs = ours.map((round) => round.lifecycleMs)
  table.push(['Plumbline: reset', over, ...figures(isolationMs), '1', ...figures(lifecycleMs), '1'])
  table.push([
    'Plumbline with its service: reset; quote, build and confirm too',
    over,
    ...[...figures(served.isolation), ''],
    ...[...figures(served.lifecycle), ''],
  ])
  for (const { peer, value } of ratios) {
    if (peer?.work !== 'isolation') continue
    const lifecycle = ratios.find(
      (ratio) =>
        ratio.peer?.work === 'lifecycle' && ratio.peer.name === peer.name && ratio.peer.way === peer.way,
    )
    table.push([
      `${peer.name}: ${peer.way}`,
      peer.transport,
      ...[shown(peer.theirsMs), shown(peer.theirsP95Ms), shown(value)],
      ...[lifecycle?.peer?.theirsMs, lifecycle?.peer?.theirsP95Ms, lifecycle?.value].map((figure) =>
        shown(figure ?? Number.NaN),
      ),
    ])
  }
  for (const { name, reason } of notRun) table.push([name, { colSpan: 7, content: `not run: ${reason}` }])
  return table
}

const shown = (figure: number) => (figure >= 100 ? figure.toFixed(0) : figure.toFixed(2))

/** The tool with the version that is installed. */
function versioned({ from }: Peer): string {
  const [file, list, name] =
    from === 'anvil'
      ? ['../../package.json', 'dependencies', '@foundry-rs/anvil']
      : ['./package.json', 'dependencies', from]
  const versions = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))[list]
  return `${SHOWN[from]} ${versions[name]}`
}

const SHOWN: Readonly<Record<Peer['from'], string>> = {
  anvil: 'Anvil',
  prool: 'prool',
  hardhat: 'Hardhat',
  '@tevm/memory-client': 'tevm',
}
