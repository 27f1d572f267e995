import { hashOfBlock, rootsOf } from '../../../evm/blockHash.ts'
import { type Anything, all } from '../forge.ts'
import { type Forgery, HASH, nth, rejudged, resealed } from './forgery.ts'

/** Computes the roots and hashes of all blocks again, and replaces the old hashes in the whole file. */
export function remined(recording: Anything): void {
  for (const { blockHash: before } of structuredClone(all(recording, 'block'))) {
    const block: Anything = all(recording, 'block').find((each) => each.blockHash === before)
    block.header.gasUsed = block.transactions.at(-1)?.cumulativeGasUsed ?? 0
    if (block.transactions.length > 0) {
      const roots = rootsOf(block)
      Object.assign(block.header, { transactionsRoot: roots.transactions, receiptsRoot: roots.receipts })
    }
    const renamed = JSON.stringify(recording.entries).replaceAll(before, hashOfBlock(block))
    recording.entries = JSON.parse(renamed)
  }
}

/** Does the same and judges again, so that only an execution can find the forgery. */
function rehashed(recording: Anything): void {
  remined(recording)
  rejudged(recording)
}

/** A recording without replies of the node about blocks, so that nothing else contradicts the forgery. */
const CONSISTENT = 'keys.revoked-before-confirm'

export const CONSISTENT_CHAIN_FORGERIES: readonly Forgery[] = [
  ...resealed('blocks, with all hashes computed anew', CONSISTENT, [
    [
      'the state root',
      ['second-evm', 'header.stateRoot'],
      (r) => {
        nth(r, 'block').header.stateRoot = HASH
        rehashed(r)
      },
    ],
    [
      'the randomness',
      ['second-evm', 'header.mixHash'],
      (r) => {
        nth(r, 'block').header.mixHash = HASH
        rehashed(r)
      },
    ],
    [
      'the base fee',
      ['second-evm', 'header.baseFeeWei'],
      (r) => {
        nth(r, 'block').header.baseFeeWei = '8'
        rehashed(r)
      },
    ],
    [
      'the gas of the transaction',
      ['second-evm', 'cumulativeGasUsed'],
      (r) => {
        nth(r, 'block').transactions[0].cumulativeGasUsed -= 1
        rehashed(r)
      },
    ],
    [
      'a log of the transaction',
      ['second-evm', 'transactions.0.logs'],
      (r) => {
        nth(r, 'block').transactions[0].logs.pop()
        rehashed(r)
      },
    ],
    [
      'the transaction fails',
      ['second-evm', 'transactions.0.succeeded'],
      (r) => {
        Object.assign(nth(r, 'block').transactions[0], { succeeded: false, logs: [] })
        rehashed(r)
      },
    ],
  ]),
]
