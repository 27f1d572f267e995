import type { Hex } from 'viem'
import { readBlocks, readHead } from '../../sandbox/blocks.ts'
import { createChain, DEEPEST_REORG_WITHOUT_RESETS } from '../../sandbox/chain.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import { UsageError } from '../../spec/errors.ts'
import { realTime } from '../realTime.ts'

/** The state in which every case of a run begins: that of a block to which no case has added anything. */
export interface ChainBase {
  /** The first block with this state. */
  readonly number: bigint
  readonly stateRoot: Hex
}

/** Twice the default time between two blocks of a sandbox that mines by itself. */
const WATCHED_MS = 2_200

/** Watches a chain for a while. @throws {UsageError} another program mines on it. */
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
 * Brings a chain back to its base after a run that ended early: the blocks that it added are reorganised away, with their state
 * and their time, and replaced by one empty block more. Everything that it left in the mempool, or set without a block, is
 * removed as well.
 *
 * @returns a notice where it was not at its base; null where it was.
 * @throws {UsageError} no block within reach has the state of the base.
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
  // The node keeps a state when the next block is built on it, including what was set in between: only a block with the same
  // state above it shows that nothing was.
  const depth = clean.findIndex(
    (isClean, below) => below > 0 && isClean && (clean[below - 1] === true || below === depthMax),
  )
  if (depth < 0) throw notAtBase(`none of its newest ${depthMax} blocks has the state of the base`)
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

/** Returns the error that stops a run: correct builds would be blamed for the remains of an earlier one. */
function notAtBase(problem: string): UsageError {
  return new UsageError(
    `the sandbox is not at its base, and cannot be brought back to it: ${problem}`,
    'Start it again with `plumbline sandbox --driven --manifest FILE`, and the service with it.',
  )
}
