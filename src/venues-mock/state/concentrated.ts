import { type Address, parseAbi } from 'viem'
import type { ConcentratedState } from '../models/concentrated.ts'
import { call, type Prepared, prepare, type Reader, readAll, readPrepared } from './reader.ts'
import { bitmapWords, ticksOfWord } from './tickBitmap.ts'

const abi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8 feeProtocol, bool)',
  'function liquidity() view returns (uint128)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16 word) view returns (uint256)',
  'function ticks(int24 tick) view returns (uint128, int128 liquidityNet, uint256, uint256, int56, uint160, uint32, bool)',
])

/** The reads of each pool's bitmap, which are the same at every block. */
const bitmapReads = new Map<Address, Prepared>()

/**
 * Everything that decides a swap in one Uniswap V3 pool, all its initialized ticks included.
 *
 * @throws {PoolStateError} there is no such pool at this block.
 */
export async function readConcentrated(
  reader: Reader,
  pool: Address,
  tickSpacing: number,
): Promise<ConcentratedState> {
  const initialized = await readTicks(reader, pool, tickSpacing)
  const [slot0, liquidity, feePips, ...ticks] = await readAll(reader, [
    call(pool, abi, 'slot0', []),
    call(pool, abi, 'liquidity', []),
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
  const reads = bitmapReads.get(pool) ?? prepare(words.map((word) => call(pool, abi, 'tickBitmap', [word])))
  bitmapReads.set(pool, reads)
  const bitmap = await readPrepared(reader, reads)
  return words.flatMap((word, index) => ticksOfWord(word, BigInt(bitmap[index] ?? 0), tickSpacing))
}
