import { type Block, TimeGoesBackError } from '../../sandbox/blocks.ts'
import type { SandboxChain } from '../../sandbox/chain.ts'

/**
 * A chain on which nobody else mines: its head is known from the call that created it, and is not read again. Steps of a
 * scenario read the head far more often than they change it.
 */
export interface RememberedHead {
  readonly chain: SandboxChain
  /** Sets the head after a change that bypassed `chain`. Null: it is not known. */
  set(head: Block | null): void
}

/**
 * @param chain makes changes, and reads a head that is not known.
 * @param onRemoved called when blocks are removed.
 */
export function rememberHead(chain: SandboxChain, onRemoved: () => void = () => {}): RememberedHead {
  let known: Block | null = null

  /** Forgets the head if a call fails, as its effects are unknown. */
  async function changing<Result>(
    call: () => Promise<Result>,
    headAfter: (result: Result) => Block | null,
  ): Promise<Result> {
    known = null
    const result = await call()
    known = headAfter(result)
    return result
  }
  const head = async (): Promise<Block> => {
    known ??= await chain.head()
    return known
  }
  const mine: SandboxChain['mine'] = (count, firstTimestampS) =>
    changing(
      () => chain.mine(count, firstTimestampS),
      (block) => block,
    )
  const mineAt: SandboxChain['mineAt'] = async (timestampS) => {
    const before = await head()
    if (timestampS < before.timestampS) throw new TimeGoesBackError(before.timestampS, timestampS)
    return mine(1, timestampS)
  }
  const reorg: SandboxChain['reorg'] = (options) => {
    onRemoved()
    return changing(
      () => chain.reorg(options),
      ({ ancestor, newBlocks }) => newBlocks.at(-1) ?? ancestor,
    )
  }
  return {
    chain: {
      ...chain,
      head,
      mine,
      mineAt,
      jumpTo: async (timestampS) => {
        const before = await head()
        return before.timestampS === timestampS ? before : mineAt(timestampS)
      },
      execute: (rawTransaction) =>
        changing(
          () => chain.execute(rawTransaction),
          () => null,
        ),
      reorg,
      rollback: (depth) => reorg({ depth, newBlocks: 0 }),
    },
    set: (block) => {
      onRemoved()
      known = block
    },
  }
}
