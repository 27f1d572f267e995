import type { Hex } from 'viem'
import { readBlocks, readHead } from '../../sandbox/blocks.ts'
import { createChain, DEEPEST_REORG_WITHOUT_RESETS } from '../../sandbox/chain.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import { UsageError } from '../../spec/errors.ts'
import { realTime } from '../realTime.ts'

/** The state that every case of a run begins in: that of a block to which no case has added anything. */
export interface ChainBase {
  /** The block that had it first. */
  readonly number: bigint
  readonly stateRoot: Hex
}

/** Twice the time between two blocks of a sandbox that mines by itself, unless stated otherwise. */
const WATCHED_MS = 2_200

/** Watches a chain for a while. @throws {UsageError} somebody else mines on it. */
export async function checkStill(rpc: Rpc): Promise<void> {
  const before = await readHead(rpc)
  await realTime.pass(WATCHED_MS)
  const after = await readHead(rpc)
  if (after.hash !== before.hash)
    throw new UsageError(
      'the sandbox mines on its own, so the suite cannot control its chain',
      'Start it with `plumbline sandbox --driven --manifest FILE`, or take --profile http.',
    )
}

/**
 * Brings a chain to its base, whatever a run that ended early left on it: the blocks that it added are reorganised away,
 * with their state and their time, and one empty block more comes in their place. What it left in the mempool, or set
 * without a block, is gone as well.
 *
 * @returns what was found, where it was not the base; null where it was.
 * @throws {UsageError} no block that could be gone back to has the state of the base.
 */
export async function returnToBase(rpc: Rpc, base: ChainBase): Promise<string | null> {
  const chain = createChain(rpc, base.number, { deepest: DEEPEST_REORG_WITHOUT_RESETS })
  await chain.dropAll()
  const head = await chain.head()
  if (head.number <= base.number) {
    if (head.stateRoot === base.stateRoot) return null
    throw notAtBase(`its head is ${head.number}, its base was ${base.number}`)
  }
  const nowS = Math.floor(realTime.nowMs() / 1_000)
  const depthMax = Math.min(Number(head.number - base.number), DEEPEST_REORG_WITHOUT_RESETS)
  const numbers = Array.from({ length: depthMax + 1 }, (_, depth) => head.number - BigInt(depth))
  const clean = (await readBlocks(rpc, numbers)).map(
    (block) =>
      block.stateRoot === base.stateRoot && (block.timestampS <= nowS || block.number === base.number),
  )
  // The node keeps a state when the next block is built on it, with what was set in between: only a block with the same
  // state above it shows that nothing was.
  const depth = clean.findIndex(
    (isClean, below) => below > 0 && isClean && (clean[below - 1] === true || below === depthMax),
  )
  if (depth < 0) throw notAtBase(`none of its newest ${depthMax} blocks has the state of it`)
  const ancestor = await chain.block(head.number - BigInt(depth))
  const timestampS = Math.max(ancestor.timestampS, nowS)
  const timestampsS = Array.from({ length: depth + 1 }, () => timestampS)
  await chain.reorg({ depth, newBlocks: depth + 1, timestampsS })
  if ((await chain.head()).stateRoot !== base.stateRoot)
    throw notAtBase('its state was changed without a block')
  return clean[0] === true
    ? null
    : `the sandbox was not at its base: a run that ended early left ${depth} blocks on it; they are reorganised away`
}

/** Right builds would be blamed for what an earlier run left. */
function notAtBase(problem: string): UsageError {
  return new UsageError(
    `the sandbox is not at its base, and cannot be brought back to it: ${problem}`,
    'Start it again with `plumbline sandbox --driven --manifest FILE`, and the service with it.',
  )
}
