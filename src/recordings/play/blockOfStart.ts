import type { BaseWorld } from '../../evm/baseWorld.ts'
import { NO_ITEMS } from '../../evm/blockHash.ts'
import type { NodeBlock } from '../../evm/node/described.ts'
import type { DraftOf } from '../format/drafts.ts'

/** Returns the block that a recording begins on, which is empty, with the state of the deployment. */
export function blockOfStart(
  { number, blockHash, header }: NonNullable<DraftOf<'genesis'>['start']>,
  world: BaseWorld,
  isRolledBack: boolean,
): NodeBlock {
  const state = world.state.copy()
  if (isRolledBack) state.footprint?.rolledBack()
  const { parentHash, stateRoot, timestampS, miner, baseFeeWei, mixHash, gasUsed } = header
  return {
    ...({ hash: blockHash, parentHash, stateRoot } as Pick<NodeBlock, 'hash' | 'parentHash' | 'stateRoot'>),
    context: {
      ...world.context,
      ...({ number, timestampS, miner, mixHash } as Pick<
        NodeBlock['context'],
        'number' | 'timestampS' | 'miner' | 'mixHash'
      >),
      baseFeeWei: BigInt(baseFeeWei),
    },
    gasUsed,
    roots: { transactions: NO_ITEMS, receipts: NO_ITEMS },
    lowestTipWei: null,
    transactions: [],
    state,
  }
}
