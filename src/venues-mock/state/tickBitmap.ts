import { hexToBigInt, keccak256, numberToHex, toHex } from 'viem'
import { MAX_TICK, MIN_TICK } from '../models/tickMath.ts'

/** Storage slots of a pool's ticks and of the bitmap of initialized ticks: two mappings. */
export interface TickSlots {
  readonly ticks: bigint
  readonly bitmap: bigint
}

/** Returns the keys of all words of a pool's tick bitmap that can hold a tick, ascending. */
export function bitmapWords(tickSpacing: number): number[] {
  const first = Math.floor(MIN_TICK / tickSpacing) >> 8
  const last = Math.floor(MAX_TICK / tickSpacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Returns the initialized ticks in one word of the bitmap, ascending. */
export function ticksOfWord(word: number, bits: bigint, tickSpacing: number): number[] {
  const ticks: number[] = []
  for (let bit = 0; bit < 256 && bits >> BigInt(bit) !== 0n; bit++) {
    if ((bits >> BigInt(bit)) & 1n) ticks.push((word * 256 + bit) * tickSpacing)
  }
  return ticks
}

/** Returns liquidityNet, the upper half of a word; the lower half is liquidityGross. */
export function netLiquidity(word: bigint): bigint {
  return BigInt.asIntN(128, word >> 128n)
}

/** Returns the slot of `key` in a mapping from a signed integer. */
export function mappingSlot(key: number, slot: bigint): bigint {
  const signed = toHex(BigInt.asUintN(256, BigInt(key)), { size: 32 })
  return hexToBigInt(keccak256(`${signed}${numberToHex(slot, { size: 32 }).slice(2)}`))
}
