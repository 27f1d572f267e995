import { type Hex, keccak256 } from 'viem'
import { hashOfBlock, rootsOf } from '../../evm/blockHash.ts'
import { senderOf } from '../../evm/sender.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'

type BlockEntry = DraftOf<'block'>

/**
 * Recomputes what a block commits to: the hash and the sender of each transaction from its signed bytes, the roots from
 * transactions and receipts, and the block's own hash from its header.
 *
 * Not checked: the state root, which only an execution can (replay does).
 *
 * @throws {ContradictionError} at the first field that does not follow.
 */
export async function checkBlocks(entries: Drafts): Promise<void> {
  for (const [at, block] of positioned(entries, 'block')) {
    for (const [index, transaction] of block.transactions.entries()) {
      await checkTransaction(at, index, transaction)
    }
    checkHeader(at, block)
  }
}

async function checkTransaction(
  at: number,
  index: number,
  { hash, from, raw }: BlockEntry['transactions'][number],
): Promise<void> {
  const place = `transactions.${index}`
  checkSame(at, `${place}.hash`, hash, keccak256(raw as Hex))
  const sender = await senderOf(raw as Hex).catch(() => 'nobody: the signature is invalid')
  checkSame(at, `${place}.from`, from, sender)
}

function checkHeader(at: number, block: BlockEntry): void {
  const { header, transactions } = block
  checkSame(at, 'header.gasUsed', header.gasUsed, transactions.at(-1)?.cumulativeGasUsed ?? 0)
  const roots = rootsOf(block)
  if (transactions.length > 0) {
    checkSame(at, 'header.transactionsRoot', header.transactionsRoot, roots.transactions)
    checkSame(at, 'header.receiptsRoot', header.receiptsRoot, roots.receipts)
  }
  checkSame(at, 'blockHash', block.blockHash, hashOfBlock(block, roots))
}

function checkSame(at: number, field: string, recorded: unknown, right: unknown): void {
  check(recorded === right, at, field, `${recorded} is recorded, ${right} follows from the rest`)
}
