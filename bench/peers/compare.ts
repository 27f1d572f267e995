import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, quantile } from 'simple-statistics'
import { table } from '../../src/reporting/document/textTable.ts'
import { forkWorker } from '../../src/runner/pool/workers.ts'
import { createWorld, type World } from '../../src/simulation/world/world.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { worldClient } from '../../src/targets/environment/inProcess.ts'
import { CREATE2_DEPLOYER } from '../../src/venues-mock/deploy/operators.ts'
import { ASK, SENDER } from '../lifecycle.ts'
import { PEERS, type Peer } from './peers.ts'
import type { PeerJob } from './program.ts'
import { differenceOf, type Isolation, type Round, runRound, type Work } from './round.ts'

const PROGRAM = new URL('./program.ts', import.meta.url)
/** Number of rounds with each peer; fewer if they take longer than the total time. */
const ROUNDS = 40
const ROUNDS_MIN = 3
const PEER_TIME_MS = 30_000

interface Pair {
  readonly ours: Round
  readonly theirs: Round
}

/**
 * Does the same work with each peer and with Plumbline in turn, round by round: goes from the last test to an untouched world,
 * and swaps in it. Prints medians and 95th percentiles in ms, and the median ratio of the pairs.
 *
 * @throws {Error} if the peers cannot be installed.
 */
export async function benchPeers(): Promise<void> {
  const node = installPeers()
  const world = await createWorld({ seed: 1 })
  try {
    const work = await describeWork(world)
    const ours = isolationOf(world)
    const { evidence } = await runRound(ours, work)
    const rows: (readonly string[])[] = []
    for (const [index, peer] of PEERS.entries()) {
      const name = `${versioned(peer)}: ${peer.name}`
      console.error(`measuring ${name}`)
      try {
        const pairs = await measurePairs(node, { index, work }, async () => {
          const round = await runRound(ours, work)
          requireSame(evidence, round)
          return round
        })
        rows.push([
          name,
          peer.transport,
          ...figuresOf(pairs, 'isolationMs'),
          ...figuresOf(pairs, 'lifecycleMs'),
        ])
      } catch (error) {
        const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
        rows.push([name, `not run: ${reason}`])
      }
    }
    const part = (what: string) => [`${what} ms`, 'p95', 'ours', '/ ours']
    console.log(
      table(['what', 'over', ...part('isolation'), ...part('lifecycle')], rows, [
        ...['left' as const, 'left' as const],
        ...Array.from({ length: 8 }, () => 'right' as const),
      ]),
    )
  } finally {
    await world.stop()
  }
}

/** Returns the swap that the service builds, and the data that a peer needs to have the same world. */
export async function describeWork(world: World): Promise<Work> {
  const { manifest, sandbox } = world
  const { tx } = (await worldClient(world).build({ ...ASK, sender: SENDER })).json as BuildResponse
  const tokenOut = manifest.registry.find(({ symbol }) => symbol === ASK.to)
  if (tokenOut === undefined) throw new Error(`the registry has no ${ASK.to}`)
  return {
    create2Code: await sandbox.rpc.request<string>('eth_getCode', [CREATE2_DEPLOYER, 'latest']),
    contracts: [manifest.settlement.address, ...manifest.venues.map(({ address }) => address)],
    swap: { to: tx.to as `0x${string}`, data: tx.data as `0x${string}`, valueWei: tx.value },
    tokenOut: tokenOut.address,
  }
}

/** Isolates tests by resetting one world. */
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

/** Measures rounds of both in turn, after one round that warms both up. */
async function measurePairs(
  node: string,
  job: PeerJob,
  ownRound: () => Promise<Round>,
): Promise<readonly Pair[]> {
  // Node 22.18 or later runs the TypeScript sources directly.
  const launch = { execPath: node, execArgv: ['--disable-warning=ExperimentalWarning'] }
  const worker = forkWorker<PeerJob, null, Round>(PROGRAM, job, 1, launch)
  const measurePair = async (): Promise<Pair> => {
    const ours = await ownRound()
    const theirs = await worker.run(null)
    requireSame(ours.evidence, theirs)
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

function requireSame(expected: Round['evidence'], { evidence }: Round): void {
  const difference = differenceOf(expected, evidence)
  if (difference !== null) throw new Error(`it did not do the work: ${difference}`)
}

function figuresOf(pairs: readonly Pair[], part: 'isolationMs' | 'lifecycleMs'): readonly string[] {
  const theirs = pairs.map((pair) => pair.theirs[part])
  const ours = pairs.map((pair) => pair.ours[part])
  const ratio = median(pairs.map((pair) => pair.theirs[part] / pair.ours[part]))
  return [median(theirs), quantile(theirs, 0.95), median(ours), ratio].map((figure) => figure.toFixed(2))
}

/** Returns the tool with its installed version. */
function versioned({ from }: Peer): string {
  const [file, name] =
    from === 'anvil' ? ['../../package.json', '@foundry-rs/anvil'] : ['./package.json', from]
  const { dependencies } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
  return `${from} ${dependencies[name]}`
}

const FOLDER = fileURLToPath(new URL('./', import.meta.url))
/** npx fetches it if it is missing. Apple's package of this version has another name. */
const NODE = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform.replace('win32', 'win')}-${process.arch}@22.23.2`

/**
 * Installs the peers and the Node that they need, unless they match their lockfiles already.
 *
 * @returns the path of that Node.
 * @throws {Error} if this platform has no such Node, or npm failed.
 */
function installPeers(): string {
  const onNode = (...words: readonly string[]) =>
    execFileSync('npx', ['--yes', '--package', NODE, '--', ...words], { cwd: FOLDER, encoding: 'utf8' })
  try {
    execFileSync('npm', ['ls'], { cwd: FOLDER, stdio: 'ignore' })
  } catch {
    console.error('installing the peers: about 55 MB, 300 MB unpacked')
    // npm omits a binary that needs a later Node than its own, such as EDR's.
    onNode('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
  }
  return onNode('node', '-p', 'process.execPath').trim()
}
