import { type Hex, keccak256, numberToHex, pad } from 'viem'
import { type Block, type MineBlocks, type RawBlock, readBlocks, readHead, toBlock } from './blocks.ts'
import { ChainError } from './chainError.ts'
import { readPool, readRaw } from './pool.ts'
import { type Rpc, RpcError } from './rpc.ts'

export interface ReorgOptions {
  /** The number of removed blocks. */
  readonly depth: number
  /** The transactions of the new blocks, in order; `blockOffset` counts the new blocks from 0. Default: none. */
  readonly include?: readonly { readonly rawTransaction: Hex; readonly blockOffset: number }[]
  /** The number of blocks that replace them. Default: the same number. */
  readonly newBlocks?: number
  /** The times of the new blocks. Default: those of the removed blocks, then one second more for each further block. */
  readonly timestampsS?: readonly number[]
}

/** A transaction orphaned by a reorganisation. It is not in the mempool unless it is sent again. */
export interface RemovedTransaction {
  readonly hash: Hex
  readonly rawTransaction: Hex
  readonly blockNumber: bigint
}

export interface Reorg {
  /** The newest block common to both branches. */
  readonly ancestor: Block
  readonly removedBlocks: readonly Block[]
  readonly removedTransactions: readonly RemovedTransaction[]
  readonly newBlocks: readonly Block[]
}

/** Returns a node to the canonical block `ancestor`, `depth` blocks below the head: blocks, state and time. */
export type GoBack = (ancestor: Block, depth: number) => Promise<void>

/**
 * Returns the node's own rollback. On a fork, it keeps slots and accounts that the removed blocks were the first to write: the
 * node copies the old state over the new one, and the old state has only the values written by then.
 */
export function rollBack(rpc: Rpc): GoBack {
  return async (_ancestor, depth) => {
    await rpc.request('anvil_rollback', [depth])
  }
}

/**
 * Replaces the newest blocks with others that have different hashes, as a chain reorganisation does. Base fee and time
 * follow the old branch. Pending transactions stay in the mempool and are not included in the new blocks.
 *
 * Uses rollback and mining, because the node's own `anvil_reorg` chooses the times and keeps the old branch's base fee.
 *
 * @param coinbase the beneficiary of the new blocks. It must be new: otherwise equal blocks would have the same hashes as
 *   before.
 * @param maximum the maximum depth
 */
export async function reorganise(
  rpc: Rpc,
  options: ReorgOptions,
  coinbase: Hex,
  maximum: (head: Block) => number,
  goBack: GoBack,
  mine: MineBlocks,
): Promise<Reorg> {
  const head = await readHead(rpc)
  const { depth, include = [] } = options
  const most = maximum(head)
  if (!Number.isSafeInteger(depth) || depth < 1 || depth > most)
    throw new ChainError(
      `cannot remove ${depth} blocks: the depth goes from 1 to ${most}`,
      'Mine more blocks first; the blocks of the deployment cannot be removed.',
    )

  const first = head.number - BigInt(depth)
  const numbers = Array.from({ length: depth + 1 }, (_, index) => first + BigInt(index))
  const [ancestor, ...removedBlocks] = (await readBlocks(rpc, numbers)) as [Block, ...Block[]]
  const timestampsS = timesOf(options, ancestor, removedBlocks)
  for (const { blockOffset } of include) {
    if (blockOffset >= 0 && blockOffset < timestampsS.length) continue
    throw badPlan(`offset ${blockOffset} is outside the ${timestampsS.length} new blocks`)
  }
  const removedTransactions = await transactionsOf(rpc, removedBlocks)
  const waiting = await waitingInOrder(rpc)
  const waitingRaw = await readRaw(rpc, waiting)

  if (waiting.length > 0) await rpc.request('anvil_dropAllTransactions')
  await goBack(ancestor, depth)
  await rpc.batch([
    { method: 'anvil_setCoinbase', params: [coinbase] },
    // Otherwise the node would continue with the base fee of the old branch.
    {
      method: 'anvil_setNextBlockBaseFeePerGas',
      params: [numberToHex((removedBlocks[0] as Block).baseFeeWei)],
    },
  ])
  const newBlocks: Block[] = []
  for (const [offset, timestampS] of timestampsS.entries()) {
    const raws = include.filter((each) => each.blockOffset === offset).map((each) => each.rawTransaction)
    newBlocks.push(await mineExactly(rpc, mine, raws, offset, timestampS))
  }
  const included = new Set(newBlocks.flatMap((block) => block.transactions))
  await sendAgain(
    rpc,
    waitingRaw.filter((_, index) => !included.has(waiting[index] as Hex)),
  )
  return { ancestor, removedBlocks, removedTransactions, newBlocks }
}

/** Returns the n-th beneficiary of reorganised blocks, n from 1. These addresses have no other use. */
export function coinbaseOfBranch(branch: number): Hex {
  return pad(numberToHex(0xb0_0000 + branch), { size: 20 })
}

/** Returns the error for an inconsistent plan, thrown before the chain is changed. */
function badPlan(problem: string): ChainError {
  const advice =
    'Each transaction needs an offset below the number of new blocks, and each new block needs a time.'
  return new ChainError(problem, advice)
}

function timesOf(options: ReorgOptions, ancestor: Block, removed: readonly Block[]): readonly number[] {
  const count = options.newBlocks ?? options.timestampsS?.length ?? options.depth
  if (!Number.isSafeInteger(count) || count < 0) {
    throw badPlan(`${count} is not a valid number of new blocks`)
  }
  const given = options.timestampsS
  if (given !== undefined && given.length !== count) {
    throw badPlan(`there are ${count} new blocks and ${given.length} times`)
  }
  const last = removed.at(-1)?.timestampS ?? ancestor.timestampS
  const times =
    given ??
    Array.from(
      { length: count },
      (_, index) => removed[index]?.timestampS ?? last + index + 1 - removed.length,
    )
  times.reduce((before, timestampS) => {
    if (timestampS < before) throw badPlan(`a block at ${timestampS} s would follow one at ${before} s`)
    return timestampS
  }, ancestor.timestampS)
  return times
}

async function transactionsOf(rpc: Rpc, blocks: readonly Block[]): Promise<RemovedTransaction[]> {
  const found = blocks.flatMap((block) =>
    block.transactions.map((hash) => ({ hash, blockNumber: block.number })),
  )
  const raws = await readRaw(
    rpc,
    found.map(({ hash }) => hash),
  )
  return found.map((each, index) => ({ ...each, rawTransaction: raws[index] as Hex }))
}

/** Returns the mempool in the node's order of mining, followed by the queued transactions, which it would not mine. */
async function waitingInOrder(rpc: Rpc): Promise<Hex[]> {
  const pool = (await readPool(rpc)).map((tx) => tx.hash)
  if (pool.length < 2) return pool
  const pending = await rpc.request<RawBlock>('eth_getBlockByNumber', ['pending', false])
  return [...new Set([...toBlock(pending).transactions, ...pool])]
}

async function mineExactly(
  rpc: Rpc,
  mine: MineBlocks,
  raws: readonly Hex[],
  blockOffset: number,
  timestampS: number,
): Promise<Block> {
  for (const raw of raws) {
    try {
      await rpc.request('eth_sendRawTransaction', [raw])
    } catch (cause) {
      throw cause instanceof RpcError ? notMined(keccak256(raw), blockOffset, { cause }) : cause
    }
  }
  const block = await mine(rpc, 1, timestampS)
  for (const hash of raws.map((raw) => keccak256(raw))) {
    if (!block.transactions.includes(hash)) throw notMined(hash, blockOffset)
  }
  return block
}

function notMined(hash: Hex, blockOffset: number, options?: { cause?: unknown }): ChainError {
  return new ChainError(
    `${hash} could not be mined in new block ${blockOffset}`,
    'Check its nonce on the new branch: earlier transactions of the same sender must be included before it.',
    options,
  )
}

/** Refills the mempool. A transaction that is invalid on the new branch is dropped, as in a real mempool. */
async function sendAgain(rpc: Rpc, raws: readonly Hex[]): Promise<void> {
  for (const raw of raws) {
    try {
      await rpc.request('eth_sendRawTransaction', [raw])
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
  }
}
