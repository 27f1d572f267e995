import { type Hex, keccak256, numberToHex, pad } from 'viem'
import { PlumblineError } from '../spec/errors.ts'
import { type Block, mineBlockAt, type RawBlock, readBlocks, readHead, toBlock } from './blocks.ts'
import { readPool, readRaw } from './pool.ts'
import { type Rpc, RpcError } from './rpc.ts'

export interface ReorgOptions {
  /** How many blocks go. */
  readonly depth: number
  /** What the new blocks hold, in the order given; `blockOffset` counts the new blocks from 0. Default: nothing. */
  readonly include?: readonly { readonly rawTransaction: Hex; readonly blockOffset: number }[]
  /** How many blocks come instead. Default: as many as go. */
  readonly newBlocks?: number
  /** The times of the new blocks. Default: those of the blocks that went, then one second more for each further one. */
  readonly timestampsS?: readonly number[]
}

/** A transaction that a reorganisation took out of the chain. It is not in the pool: whoever wants it sends it again. */
export interface RemovedTransaction {
  readonly hash: Hex
  readonly rawTransaction: Hex
  readonly blockNumber: bigint
}

export interface Reorg {
  /** The newest block that both branches have. */
  readonly ancestor: Block
  readonly removedBlocks: readonly Block[]
  readonly removedTransactions: readonly RemovedTransaction[]
  readonly newBlocks: readonly Block[]
}

/** The chain does not go back that far, or its state there is gone. */
export class ReorgDepthError extends PlumblineError {
  override readonly name = 'ReorgDepthError'
  readonly depth: number
  readonly maximum: number
  constructor(depth: number, maximum: number) {
    super(
      `${depth} blocks cannot go: at least 1 and at most ${maximum} can`,
      'Mine more blocks first; the blocks that deployed the world must stay.',
    )
    this.depth = depth
    this.maximum = maximum
  }
}

/** The plan of a reorganisation contradicts itself. Nothing has been changed. */
export class ReorgPlanError extends PlumblineError {
  override readonly name = 'ReorgPlanError'
  constructor(problem: string) {
    super(
      problem,
      'Give every transaction an offset below the number of new blocks, and every new block a time.',
    )
  }
}

/** A transaction did not get into the new block meant for it. The reorganisation stopped there. */
export class ReorgIncludeError extends PlumblineError {
  override readonly name = 'ReorgIncludeError'
  readonly hash: Hex
  readonly blockOffset: number
  constructor(hash: Hex, blockOffset: number, options?: { cause?: unknown }) {
    super(
      `${hash} could not be mined in new block ${blockOffset}`,
      'Check its nonce on the new branch: earlier ones of the same sender must be included before it.',
      options,
    )
    this.hash = hash
    this.blockOffset = blockOffset
  }
}

/**
 * Replaces the newest blocks by others that have other hashes, as a chain reorganisation does. Base fee and time follow
 * the old branch. What waits in the pool stays there and gets into no new block.
 *
 * Built from rollback and mining: the node's own `anvil_reorg` chooses the times and keeps the old branch's base fee.
 *
 * @param coinbase the beneficiary of the new blocks. One that no branch had yet: equal blocks would get equal hashes,
 * and nothing would seem to have happened.
 * @param maximum how deep it may go
 */
export async function reorganise(
  rpc: Rpc,
  options: ReorgOptions,
  coinbase: Hex,
  maximum: (head: Block) => number,
): Promise<Reorg> {
  const head = await readHead(rpc)
  const { depth, include = [] } = options
  const most = maximum(head)
  if (!Number.isSafeInteger(depth) || depth < 1 || depth > most) throw new ReorgDepthError(depth, most)

  const first = head.number - BigInt(depth)
  const numbers = Array.from({ length: depth + 1 }, (_, index) => first + BigInt(index))
  const [ancestor, ...removedBlocks] = (await readBlocks(rpc, numbers)) as [Block, ...Block[]]
  const timestampsS = timesOf(options, ancestor, removedBlocks)
  for (const { blockOffset } of include) {
    if (blockOffset >= 0 && blockOffset < timestampsS.length) continue
    throw new ReorgPlanError(`offset ${blockOffset} lies outside the ${timestampsS.length} new blocks`)
  }
  const removedTransactions = await transactionsOf(rpc, removedBlocks)
  const waiting = await waitingInOrder(rpc)
  const waitingRaw = await readRaw(rpc, waiting)

  if (waiting.length > 0) await rpc.request('anvil_dropAllTransactions')
  await rpc.request('anvil_rollback', [depth])
  await rpc.batch([
    { method: 'anvil_setCoinbase', params: [coinbase] },
    // The node goes on with the base fee of the old branch.
    {
      method: 'anvil_setNextBlockBaseFeePerGas',
      params: [numberToHex((removedBlocks[0] as Block).baseFeeWei)],
    },
  ])
  const newBlocks: Block[] = []
  for (const [offset, timestampS] of timestampsS.entries()) {
    const raws = include.filter((each) => each.blockOffset === offset).map((each) => each.rawTransaction)
    newBlocks.push(await mineExactly(rpc, raws, offset, timestampS))
  }
  const included = new Set(newBlocks.flatMap((block) => block.transactions))
  await sendAgain(
    rpc,
    waitingRaw.filter((_, index) => !included.has(waiting[index] as Hex)),
  )
  return { ancestor, removedBlocks, removedTransactions, newBlocks }
}

/** The n-th beneficiary of reorganised blocks, n from 1: addresses that nobody else uses. */
export function coinbaseOfBranch(branch: number): Hex {
  return pad(numberToHex(0xb0_0000 + branch), { size: 20 })
}

function timesOf(options: ReorgOptions, ancestor: Block, removed: readonly Block[]): readonly number[] {
  const count = options.newBlocks ?? options.timestampsS?.length ?? options.depth
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new ReorgPlanError(`${count} is no number of new blocks`)
  }
  const given = options.timestampsS
  if (given !== undefined && given.length !== count) {
    throw new ReorgPlanError(`${count} new blocks have ${given.length} times`)
  }
  const last = removed.at(-1)?.timestampS ?? ancestor.timestampS
  const times =
    given ??
    Array.from(
      { length: count },
      (_, index) => removed[index]?.timestampS ?? last + index + 1 - removed.length,
    )
  times.reduce((before, timestampS) => {
    if (timestampS < before)
      throw new ReorgPlanError(`a block at ${timestampS} s would follow one at ${before} s`)
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

/** What waits, in the order in which the node would mine it; the queued, which it would not, last. */
async function waitingInOrder(rpc: Rpc): Promise<Hex[]> {
  const pool = (await readPool(rpc)).map((tx) => tx.hash)
  if (pool.length < 2) return pool
  const pending = await rpc.request<RawBlock>('eth_getBlockByNumber', ['pending', false])
  return [...new Set([...toBlock(pending).transactions, ...pool])]
}

async function mineExactly(
  rpc: Rpc,
  raws: readonly Hex[],
  blockOffset: number,
  timestampS: number,
): Promise<Block> {
  for (const raw of raws) {
    try {
      await rpc.request('eth_sendRawTransaction', [raw])
    } catch (cause) {
      throw cause instanceof RpcError ? new ReorgIncludeError(keccak256(raw), blockOffset, { cause }) : cause
    }
  }
  const block = await mineBlockAt(rpc, timestampS)
  for (const hash of raws.map((raw) => keccak256(raw))) {
    if (!block.transactions.includes(hash)) throw new ReorgIncludeError(hash, blockOffset)
  }
  return block
}

/** Fills the pool again. A transaction that the new branch made impossible is left out, as a real pool would. */
async function sendAgain(rpc: Rpc, raws: readonly Hex[]): Promise<void> {
  for (const raw of raws) {
    try {
      await rpc.request('eth_sendRawTransaction', [raw])
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
  }
}
