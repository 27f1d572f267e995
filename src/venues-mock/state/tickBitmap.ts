import { MAX_TICK, MIN_TICK } from '../models/tickMath.ts'

/** The keys of all words of a pool's tick bitmap that can hold a tick, ascending. */
export function bitmapWords(tickSpacing: number): number[] {
  const first = Math.floor(MIN_TICK / tickSpacing) >> 8
  const last = Math.floor(MAX_TICK / tickSpacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The initialized ticks that one word of the bitmap names, ascending. */
export function ticksOfWord(word: number, bits: bigint, tickSpacing: number): number[] {
  const ticks: number[] = []
  for (let bit = 0; bit < 256 && bits >> BigInt(bit) !== 0n; bit++) {
    if ((bits >> BigInt(bit)) & 1n) ticks.push((word * 256 + bit) * tickSpacing)
  }
  return ticks
}
