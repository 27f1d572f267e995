import { type Address, type Hex, parseAbi } from 'viem'
import type { ConcentratedState } from '../models/concentrated.ts'
import { call, ethCall, multicallOf, PoolStateError, type Reader, readAll, wordsOfParts } from './reader.ts'
import { bitmapWords, type TickSlots, ticksOfWord } from './tickBitmap.ts'

const abi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8 feeProtocol, bool)',
  'function liquidity() view returns (uint128)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16 word) view returns (uint256)',
  'function ticks(int24 tick) view returns (uint128, int128 liquidityNet, uint256, uint256, int56, uint160, uint32, bool)',
])

/** Storage slots of the ticks and their bitmap in a Uniswap V3 pool. */
export const TICK_SLOTS: TickSlots = { ticks: 5n, bitmap: 6n }

/** Calldata that reads each pool's bitmap, cached because it is the same at every block and slow to encode. */
const bitmapReads = new Map<Address, Hex>()

/**
 * Returns the state that determines swaps in one Uniswap V3 pool, including all initialized ticks.
 *
 * @param known an earlier state of the pool, if its liquidity has not changed since: its ticks are reused.
 * @throws {PoolStateError} the pool does not exist at this block.
 */
export async function readConcentrated(
  reader: Reader,
  pool: Address,
  tickSpacing: number,
  known?: ConcentratedState,
): Promise<ConcentratedState> {
  const price = [call(pool, abi, 'slot0', []), call(pool, abi, 'liquidity', [])] as const
  if (known !== undefined) {
    const [slot0, liquidity] = await readAll(reader, price)
    return { ...known, sqrtPriceX96: slot0[0], tick: slot0[1], liquidity }
  }
  const initialized = await readTicks(reader, pool, tickSpacing)
  const [slot0, liquidity, feePips, ...ticks] = await readAll(reader, [
    ...price,
    call(pool, abi, 'fee', []),
    ...initialized.map((tick) => call(pool, abi, 'ticks', [tick])),
  ])
  return {
    sqrtPriceX96: slot0[0],
    tick: slot0[1],
    liquidity,
    feePips,
    tickSpacing,
    ticks: initialized.map((tick, index) => ({ tick, liquidityNet: ticks[index]?.[1] ?? 0n })),
  }
}

async function readTicks(reader: Reader, pool: Address, tickSpacing: number): Promise<number[]> {
  const words = bitmapWords(tickSpacing)
  const reads =
    bitmapReads.get(pool) ?? multicallOf(words.map((word) => call(pool, abi, 'tickBitmap', [word])))
  bitmapReads.set(pool, reads)
  const answer = await ethCall(reader, reader.multicall3, reads)
  const bitmap = wordsOfParts(answer, words.length)
  if (bitmap === null) throw new PoolStateError(pool, 'the read reverted')
  return words.flatMap((word, index) => ticksOfWord(word, bitmap[index] ?? 0n, tickSpacing))
}
