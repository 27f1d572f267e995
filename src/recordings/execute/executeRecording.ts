import { type BaseWorld, baseWorld } from '../../evm/baseWorld.ts'
import type { Verdict } from '../../oracles/index.ts'
import { type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { worldOf } from '../record/genesis.ts'
import { contractDigests } from './contractDigests.ts'
import { type Difference, placesOfDifference } from './differences.ts'
import { OtherWorldError } from './errors.ts'
import { executeAnswers } from './executeAnswers.ts'
import { executeBlocks } from './executeBlocks.ts'
import { executeReplies } from './executeReplies.ts'
import type { Ledger } from './ledger.ts'
import { MinedSwaps } from './minedSwaps.ts'

/** What the second EVM comes to. */
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
  const swaps = new MinedSwaps(entries, world.manifest)
  const chain = await executeBlocks(entries, world, swaps)
  const replies = await executeReplies(entries, blobs, chain)
  const answers = await executeAnswers(entries, world, chain)
  const differences = [
    ...compareGenesis(entries, world),
    ...chain.differences,
    ...replies.differences,
    ...answers.differences,
  ]
  return {
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
      stateRoot:
        base.stateRoot !== roots.node && base.stateRoot === roots.ethereum ? roots.ethereum : roots.node,
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
