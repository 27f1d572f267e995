import { type Hex, numberToHex } from 'viem'
import { PlumblineError } from '../spec/errors.ts'
import { ChainError } from './chainError.ts'
import type { Rpc } from './rpc.ts'

/** A block, with the fields that the harness uses. */
export interface Block {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestampS: number
  /** A real trie root; zero on a fork. */
  readonly stateRoot: Hex
  readonly baseFeeWei: bigint
  /** Hashes, in execution order. */
  readonly transactions: readonly Hex[]
}

/** A block was requested with a time before its parent's. */
export class TimeGoesBackError extends PlumblineError {
  override readonly name = 'TimeGoesBackError'
  readonly headTimestampS: number
  readonly askedTimestampS: number
  constructor(headTimestampS: number, askedTimestampS: number) {
    super(
      `a block at ${askedTimestampS} s cannot follow one at ${headTimestampS} s`,
      'Choose a time at or after the head, or reorganise the head away first.',
    )
    this.headTimestampS = headTimestampS
    this.askedTimestampS = askedTimestampS
  }
}

/** Returns the newest block. */
export async function readHead(rpc: Rpc): Promise<Block> {
  return toBlock(await rpc.request<RawBlock>('eth_getBlockByNumber', ['latest', false]))
}

/**
 * Returns blocks by number, in one round trip.
 *
 * @throws {ChainError} the chain has no such block
 */
export async function readBlocks(rpc: Rpc, numbers: readonly bigint[]): Promise<Block[]> {
  return (await readRawBlocks(rpc, numbers)).map(toBlock)
}

/** Like `readBlocks`, in the node's form. */
export async function readRawBlocks(rpc: Rpc, numbers: readonly bigint[]): Promise<RawBlock[]> {
  const calls = numbers.map((number) => ({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(number), false],
  }))
  const blocks = (await rpc.batch(calls)) as (RawBlock | null)[]
  return blocks.map((block, index) => {
    if (block !== null) return block
    throw new ChainError(`there is no block ${numbers[index]}`, 'Request a number up to the head.')
  })
}

/**
 * Mines blocks, each one interval after its parent; the first includes the pending transactions.
 *
 * @param firstTimestampS the time of the first block, no earlier than the head. Default: one interval after the head.
 * @returns the newest block
 * @throws {ChainError} `count` is not a positive whole number
 * @throws {RpcError} the head is later than `firstTimestampS`
 */
export type MineBlocks = (rpc: Rpc, count: number, firstTimestampS?: number) => Promise<Block>

/** Mines blocks in one round trip, with the only mining call that returns blocks. */
export const mineBlocks: MineBlocks = async (rpc, count, firstTimestampS) => {
  const params = mineParams(count, firstTimestampS)
  return toBlock((await rpc.request<RawBlock[]>('evm_mine_detailed', params)).at(-1) as RawBlock)
}

/**
 * Mines blocks, and reads the newest in a second round trip: to return mined blocks, the node would recover the sender of each
 * of their transactions again, which takes longer than mining a block. Recorded runs use `mineBlocks`.
 */
export const mineUndescribed: MineBlocks = async (rpc, count, firstTimestampS) => {
  await rpc.request('evm_mine', mineParams(count, firstTimestampS))
  return readHead(rpc)
}

function mineParams(count: number, firstTimestampS: number | undefined): readonly unknown[] {
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new ChainError(`${count} blocks cannot be mined`, 'Choose a whole number of at least 1.')
  }
  // The node refuses the call without the member, so the null is required.
  return [{ timestamp: firstTimestampS === undefined ? null : numberToHex(firstTimestampS), blocks: count }]
}

/**
 * Mines one block with exactly this time. A time equal to the parent's is legal, as on the real chain.
 *
 * @throws {TimeGoesBackError} the head is later
 */
export async function mineBlockAt(rpc: Rpc, mine: MineBlocks, timestampS: number): Promise<Block> {
  const head = await readHead(rpc)
  // Checked here, because the node's refusal is only a text.
  if (timestampS < head.timestampS) throw new TimeGoesBackError(head.timestampS, timestampS)
  return mine(rpc, 1, timestampS)
}

export interface RawBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly miner: Hex
  readonly timestamp: Hex
  readonly stateRoot: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly (Hex | { readonly hash: Hex })[]
}

export function toBlock(raw: RawBlock): Block {
  return {
    number: BigInt(raw.number),
    hash: raw.hash,
    parentHash: raw.parentHash,
    timestampS: Number(raw.timestamp),
    stateRoot: raw.stateRoot,
    baseFeeWei: BigInt(raw.baseFeePerGas),
    transactions: raw.transactions.map((tx) => (typeof tx === 'string' ? tx : tx.hash)),
  }
}
