import type { Hex } from 'viem'
import { type BaseWorld, baseWorld } from '../../evm/baseWorld.ts'
import type { ChainPoint } from '../../evm/chainPoint.ts'
import { GasMeter } from '../../evm/gasMeter.ts'
import type { EvmState } from '../../evm/state.ts'
import type { Verdict } from '../../oracles/index.ts'
import { type DraftOf, type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { worldOf } from '../record/genesis.ts'
import { contractDigests } from './contractDigests.ts'
import { type Difference, placesOfDifference } from './differences.ts'
import { OtherWorldError } from './errors.ts'
import { executeAnswers } from './executeAnswers.ts'
import { basePoint, type ExecutedChain, executeBlocks } from './executeBlocks.ts'
import { executeReplies } from './executeReplies.ts'
import { EXECUTION_LIMIT_GAS, leastGasOf } from './executionLimit.ts'
import type { Ledger } from './ledger.ts'
import { MinedSwaps } from './minedSwaps.ts'

/** Describes what the second EVM comes to. */
export interface Execution {
  /** Empty: it agrees with the recorded node in everything. In the order of the file. */
  readonly differences: readonly Difference[]
  readonly blocks: number
  readonly transactions: number
  /** Replies of the node that were computed again and compared. */
  readonly replies: number
  /** What every venue pays for each quote and build, each asked by a call of its own. */
  readonly venueQuotes: number
  /** What the judges say of the quotes and builds that were answered with 200, by what executions say, by request. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>
  /** The money of everybody around each build. */
  readonly ledgers: readonly Ledger[]
  /** The quotes and builds that are not judged, as the run had replaced the code of contracts: the numbers of their requests. */
  readonly withReplacedCode: readonly number[]
  /** What it took, by `GasMeter`. */
  readonly gas: number
  /** Methods of a service of which this EVM knows nothing; in a simulation such a call is a difference. */
  readonly unjudged: readonly string[]
}

const NOTHING: Execution = {
  differences: [],
  blocks: 0,
  transactions: 0,
  replies: 0,
  withReplacedCode: [],
  gas: 0,
  unjudged: [],
  venueQuotes: 0,
  verdicts: new Map(),
  ledgers: [],
}

/**
 * Executes a recording again in a second EVM, in this process and without a node: the deployment of its world, every
 * block, and every reply that an execution can give.
 *
 * @throws {OtherWorldError} its world is not that of this version, so that nothing of it can be executed.
 * @throws {GasLimitError} it asks for more than is executed for one file.
 */
export async function executeRecording(
  { entries, blobs }: Pick<Recording, 'entries' | 'blobs'>,
  limitGas: number = EXECUTION_LIMIT_GAS,
): Promise<Execution> {
  const [, { outside }] = only(entries, 'manifest')
  if (outside?.absent.includes('chain')) return NOTHING
  checkSameWorld(entries)
  const meter = new GasMeter(limitGas)
  meter.demand(leastGasOf(entries, blobs))
  const [, { base, start }] = only(entries, 'genesis')
  const world = await baseWorld(base.timestampS - base.number)
  const { swaps, chain } = await executeFrom(entries, blobs, world, start, meter)
  const replies = await executeReplies(entries, blobs, chain)
  const answers = await executeAnswers(entries, world, chain)
  const differences = [
    ...compareGenesis(entries, world),
    ...chain.differences,
    ...replies.differences,
    ...answers.differences,
  ]
  return {
    withReplacedCode: [...new Set([...answers.withReplacedCode, ...swaps.withReplacedCode])].sort(
      (one, other) => one - other,
    ),
    gas: meter.spent,
    unjudged: replies.unjudged,
    differences: differences.sort((one, other) => one.entry - other.entry),
    blocks: chain.points.size - 1,
    transactions: chain.transactions,
    replies: replies.replies,
    venueQuotes: answers.venueQuotes,
    verdicts: joined(answers.verdicts, swaps.verdicts),
    ledgers: [...answers.ledgers, ...swaps.ledgers],
  }
}

function joined<Each>(
  one: ReadonlyMap<number, readonly Each[]>,
  other: ReadonlyMap<number, readonly Each[]>,
): ReadonlyMap<number, readonly Each[]> {
  const keys = new Set([...one.keys(), ...other.keys()])
  return new Map([...keys].map((key) => [key, [...(one.get(key) ?? []), ...(other.get(key) ?? [])]]))
}

/**
 * Executes the blocks on the one that the recording begins on, whose state is that of the deployment. Whether the node was
 * rolled back to it shows in the roots alone: what fits is taken.
 */
async function executeFrom(
  entries: Drafts,
  blobs: Recording['blobs'],
  world: BaseWorld,
  start: DraftOf<'genesis'>['start'],
  meter: GasMeter,
): Promise<{ readonly swaps: MinedSwaps; readonly chain: ExecutedChain }> {
  const executedOn = async (origin: ChainPoint) => {
    const swaps = new MinedSwaps(entries, world)
    return { swaps, chain: await executeBlocks(entries, blobs, swaps, origin) }
  }
  const state = world.state.copy(meter)
  if (start === undefined) return executedOn(basePoint(world, state))
  const grown = await executedOn(startPoint(start, world, state.copy()))
  if (grown.chain.differences.length === 0) return grown
  state.footprint?.rolledBack()
  const returned = await executedOn(startPoint(start, world, state))
  return returned.chain.differences.length < grown.chain.differences.length ? returned : grown
}

function startPoint(
  { number, blockHash, header }: NonNullable<DraftOf<'genesis'>['start']>,
  { context: { gasLimit } }: BaseWorld,
  state: EvmState,
): ChainPoint {
  const { timestampS, miner, baseFeeWei, mixHash, gasUsed } = header
  return {
    hash: blockHash as Hex,
    context: {
      ...{ number, timestampS, gasLimit },
      ...{ miner: miner as Hex, mixHash: mixHash as Hex, baseFeeWei: BigInt(baseFeeWei) },
    },
    gasUsed,
    lowestTipWei: null,
    state,
  }
}

/** @throws {OtherWorldError} */
function checkSameWorld(entries: Drafts): void {
  const [, { contracts }] = only(entries, 'manifest')
  const here = contractDigests()
  const names = [...new Set([...Object.keys(contracts), ...Object.keys(here)])]
  const others = names.filter((name) => contracts[name] !== here[name])
  if (others.length > 0) throw new OtherWorldError(others)
}

function compareGenesis(entries: Drafts, world: BaseWorld): readonly Difference[] {
  const [at, { genesisHash, base, world: recorded, start }] = only(entries, 'genesis')
  const { number, hash, context, roots } = world
  const executed = {
    genesisHash: world.genesisHash,
    base: {
      number,
      hash,
      stateRoot:
        base.stateRoot !== roots.node && base.stateRoot === roots.ethereum ? roots.ethereum : roots.node,
      timestampS: context.timestampS,
    },
    world: worldOf(world.manifest),
  }
  const compared = { genesisHash, base, world: recorded }
  const root = start?.header.stateRoot
  const isOther = root !== undefined && root !== roots.node && root !== roots.ethereum
  const ofStart = isOther
    ? [{ entry: at, field: 'start.header.stateRoot', recorded: root, executed: roots.node }]
    : []
  const ofBase = (['genesisHash', 'base', 'world'] as const).flatMap((name) =>
    placesOfDifference(name, compared[name], executed[name]).map((difference) => ({
      entry: at,
      ...difference,
    })),
  )
  return [...ofBase, ...ofStart]
}
