import { type BaseWorld, baseWorld } from '../../evm/baseWorld.ts'
import { type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { worldOf } from '../record/genesis.ts'
import { contractDigests } from './contractDigests.ts'
import { type Difference, placesOfDifference } from './differences.ts'
import { OtherWorldError } from './errors.ts'
import { executeBlocks } from './executeBlocks.ts'
import { executeReplies } from './executeReplies.ts'

/** What the second EVM comes to. */
export interface Execution {
  /** Empty: it agrees with the recorded node in everything. In the order of the file. */
  readonly differences: readonly Difference[]
  readonly blocks: number
  readonly transactions: number
  /** Replies of the node that were computed again and compared. */
  readonly replies: number
}

/**
 * Executes a recording again in a second EVM, in this process and without a node: the deployment of its world, every
 * block, and every reply that an execution can give.
 *
 * @throws {OtherWorldError} its world is not that of this version, so that nothing of it can be executed.
 */
export async function executeRecording({
  entries,
  blobs,
}: Pick<Recording, 'entries' | 'blobs'>): Promise<Execution> {
  demandSameWorld(entries)
  const world = await baseWorld()
  const chain = await executeBlocks(entries, world)
  const answered = await executeReplies(entries, blobs, chain)
  const differences = [...compareGenesis(entries, world), ...chain.differences, ...answered.differences]
  return {
    differences: differences.sort((one, other) => one.entry - other.entry),
    blocks: chain.points.size - 1,
    transactions: chain.transactions,
    replies: answered.replies,
  }
}

/** @throws {OtherWorldError} */
function demandSameWorld(entries: Drafts): void {
  const [, { contracts }] = only(entries, 'manifest')
  const here = contractDigests()
  const names = [...new Set([...Object.keys(contracts), ...Object.keys(here)])]
  const others = names.filter((name) => contracts[name] !== here[name])
  if (others.length > 0) throw new OtherWorldError(others)
}

function compareGenesis(entries: Drafts, world: BaseWorld): readonly Difference[] {
  const [at, { genesisHash, base, world: recorded }] = only(entries, 'genesis')
  const { number, hash, context, roots } = world
  const executed = {
    genesisHash: world.genesisHash,
    base: {
      number,
      hash,
      stateRoot: base.stateRoot === roots.ethereum ? roots.ethereum : roots.node,
      timestampS: context.timestampS,
    },
    world: worldOf(world.manifest),
  }
  const compared = { genesisHash, base, world: recorded }
  return (['genesisHash', 'base', 'world'] as const).flatMap((name) =>
    placesOfDifference(name, compared[name], executed[name]).map((difference) => ({
      entry: at,
      ...difference,
    })),
  )
}
