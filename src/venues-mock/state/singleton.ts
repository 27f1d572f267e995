import {
  type Address,
  encodeAbiParameters,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseAbi,
} from 'viem'
import type { VenueOf } from '../../spec/manifest.ts'
import { encodeCall } from '../encodeCall.ts'
import type { SingletonState } from '../models/singleton.ts'
import { ethCall, PoolStateError, type Reader, wordsOf } from './reader.ts'
import { bitmapWords, mappingSlot, netLiquidity, type TickSlots, ticksOfWord } from './tickBitmap.ts'

const abi = parseAbi(['function extsload(bytes32[] slots) view returns (bytes32[])'])

export type PoolKey = VenueOf<'venue_e'>['poolKeys'][number]

/** The storage layout of v4-core: the slot of `pools` in the PoolManager, and offsets inside one pool. */
const POOLS_SLOT = 6n
const LIQUIDITY_OFFSET = 3n
const TICKS_OFFSET = 4n
const BITMAP_OFFSET = 5n

/** Returns the id of a pool in the PoolManager: keccak256 of its key. */
function poolIdOf(key: PoolKey): Hex {
  return keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
    ),
  )
}

function slotOf(poolId: Hex): bigint {
  return hexToBigInt(
    keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [poolId, POOLS_SLOT])),
  )
}

/** Returns the storage slots of a pool's ticks and of their bitmap in the PoolManager. */
export function tickSlotsOf(key: PoolKey): TickSlots {
  const base = slotOf(poolIdOf(key))
  return { ticks: base + TICKS_OFFSET, bitmap: base + BITMAP_OFFSET }
}

/** Calldata that reads each pool's price, liquidity and bitmap, which is the same at every block. */
const poolReads = new Map<Hex, Hex>()

/**
 * Returns the state that determines swaps in one pool of the Uniswap V4 PoolManager, read from its storage.
 *
 * @param known an earlier state of the pool, if its liquidity has not changed since: its ticks are reused.
 * @throws {PoolStateError} the pool takes a protocol fee, which the model does not support.
 */
export async function readSingleton(
  reader: Reader,
  manager: Address,
  key: PoolKey,
  known?: SingletonState,
): Promise<SingletonState> {
  const poolId = poolIdOf(key)
  const base = slotOf(poolId)
  const words = known === undefined ? bitmapWords(key.tickSpacing) : []
  const [slot0 = 0n, liquidity = 0n, ...bitmap] = await readSlots(
    reader,
    manager,
    readsOf(poolId, base, words),
  )
  if (bits(slot0, 184n, 24n) !== 0n) throw new PoolStateError(manager, 'the pool takes a protocol fee')
  return {
    sqrtPriceX96: bits(slot0, 0n, 160n),
    tick: Number(BigInt.asIntN(24, slot0 >> 160n)),
    feePips: Number(bits(slot0, 208n, 24n)),
    liquidity: bits(liquidity, 0n, 128n),
    tickSpacing: key.tickSpacing,
    ticks: known?.ticks ?? (await readTicks(reader, manager, ticksIn(words, bitmap, key.tickSpacing), base)),
  }
}

const ticksIn = (words: readonly number[], bitmap: readonly bigint[], tickSpacing: number) =>
  words.flatMap((word, index) => ticksOfWord(word, bitmap[index] ?? 0n, tickSpacing))

async function readTicks(
  reader: Reader,
  manager: Address,
  initialized: readonly number[],
  base: bigint,
): Promise<SingletonState['ticks']> {
  const slots = initialized.map((tick) => mappingSlot(tick, base + TICKS_OFFSET))
  const ticks = await readSlots(reader, manager, extsload(slots))
  return initialized.map((tick, index) => ({ tick, liquidityNet: netLiquidity(ticks[index] ?? 0n) }))
}

function readsOf(poolId: Hex, base: bigint, words: readonly number[]): Hex {
  const first = [base, base + LIQUIDITY_OFFSET]
  if (words.length === 0) return extsload(first)
  const reads =
    poolReads.get(poolId) ??
    extsload([...first, ...words.map((word) => mappingSlot(word, base + BITMAP_OFFSET))])
  poolReads.set(poolId, reads)
  return reads
}

function extsload(slots: readonly bigint[]): Hex {
  const names = slots.map((slot) => numberToHex(slot, { size: 32 }))
  return encodeCall({ abi, functionName: 'extsload', args: [names] })
}

/** Returns the result of `extsload`: the words after the offset and the length of the array. */
async function readSlots(reader: Reader, manager: Address, data: Hex): Promise<bigint[]> {
  return wordsOf(await ethCall(reader, manager, data), 2, 1)
}

function bits(word: bigint, offset: bigint, width: bigint): bigint {
  return (word >> offset) & ((1n << width) - 1n)
}
