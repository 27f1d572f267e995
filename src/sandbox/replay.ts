import type { Hex } from 'viem'
import { type Block, type MineBlocks, type RawBlock, readRawBlocks, toBlock } from './blocks.ts'
import { ChainError } from './chainError.ts'
import { readRaw } from './pool.ts'
import type { GoBack } from './reorg.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** Blocks that one call can mine: a first block, then empty ones a second apart. */
interface Stretch {
  readonly first: RawBlock
  last: RawBlock
}

/** The lowest base fee that falls after an empty block: EIP-1559 lowers it by an eighth, rounded down. */
const LOWEST_FALLING_BASE_FEE_WEI = 8n

/**
 * Returns a replacement for a wrong rollback, see `rollBack`: it returns to the base and mines the same blocks again, up to the
 * ancestor. They follow from their transactions, times, beneficiaries and base fees; their hashes prove it.
 *
 * @param toBase restores the state at `base` and the settings of a new chain
 * @throws {ChainError} by the returned function: the blocks depended on a change outside of any block
 */
export function replayFrom(
  rpc: Rpc,
  base: Pick<Block, 'number'>,
  toBase: () => Promise<void>,
  mine: MineBlocks,
): GoBack {
  return async (ancestor) => {
    const count = Number(ancestor.number - base.number)
    const numbers = Array.from({ length: count }, (_, index) => base.number + BigInt(index + 1))
    const blocks = await readRawBlocks(rpc, numbers)
    const hashes = blocks.flatMap((block) => toBlock(block).transactions)
    const raws = await readRaw(rpc, hashes)
    await toBase()
    for (const stretch of stretchesOf(blocks)) {
      await mineAgain(rpc, mine, stretch, raws.splice(0, stretch.first.transactions.length))
    }
  }
}

async function mineAgain(
  rpc: Rpc,
  mine: MineBlocks,
  { first, last }: Stretch,
  raws: readonly Hex[],
): Promise<void> {
  await rpc.batch([
    { method: 'anvil_setCoinbase', params: [first.miner] },
    { method: 'anvil_setNextBlockBaseFeePerGas', params: [first.baseFeePerGas] },
  ])
  // One after another: transactions are mined in the order in which they arrived.
  for (const raw of raws) {
    await rpc.request('eth_sendRawTransaction', [raw]).catch((cause) => {
      throw cause instanceof RpcError ? differs(first, { cause }) : cause
    })
  }
  const count = Number(BigInt(last.number) - BigInt(first.number)) + 1
  const again = await mine(rpc, count, Number(first.timestamp))
  if (again.hash !== last.hash) throw differs(last)
}

function differs({ number }: RawBlock, options?: { cause?: unknown }): ChainError {
  return new ChainError(
    `block ${BigInt(number)} was mined again for a reorganisation, and is another`,
    'On a fork, and without state roots, do not set balances, code or storage by hand before a reorganisation.',
    options,
  )
}

function stretchesOf(blocks: readonly RawBlock[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const [index, block] of blocks.entries()) {
    const [before, stretch] = [blocks[index - 1], stretches.at(-1)]
    if (before !== undefined && stretch !== undefined && follows(block, before)) stretch.last = block
    else stretches.push({ first: block, last: block })
  }
  return stretches
}

/** Returns whether the node mines `block` after `before` by itself. */
function follows(block: RawBlock, before: RawBlock): boolean {
  return (
    block.transactions.length === 0 &&
    block.miner === before.miner &&
    block.baseFeePerGas === before.baseFeePerGas &&
    BigInt(block.baseFeePerGas) < LOWEST_FALLING_BASE_FEE_WEI &&
    Number(block.timestamp) === Number(before.timestamp) + 1
  )
}
