import { type Address, type Hex, numberToHex } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import { TICK_SLOTS } from './concentrated.ts'
import { tickSlotsOf } from './singleton.ts'
import { bitmapWords, mappingSlot, netLiquidity, type TickSlots, ticksOfWord } from './tickBitmap.ts'
import { type KnownTicks, sorted, venueOf } from './venues.ts'

type Ticks = KnownTicks['venue_e'][number]['state']['ticks']

/** Returns the value of a contract's storage slot; 0 if it is empty. */
export type ReadSlot = (contract: Address, slot: Hex) => bigint

/**
 * Returns the initialized ticks of every pool that has ticks, from the storage of the pools: where it is available, this takes
 * a hundredth of the time of calls. Price and liquidity are zero: `readVenueStates` reads them again.
 */
export function ticksInStorage(manifest: Manifest, read: ReadSlot): KnownTicks {
  const [b, e] = [venueOf(manifest, 'venue_b'), venueOf(manifest, 'venue_e')]
  const unknown = { sqrtPriceX96: 0n, tick: 0, liquidity: 0n }
  return {
    venue_b: b.pools.map(({ tokens, fee, pool }) => {
      const tickSpacing = b.feeTiers.find((tier) => tier.fee === fee)?.tickSpacing ?? 1
      const ticks = ticksOf((slot) => read(pool, slot), TICK_SLOTS, tickSpacing)
      return { tokens: sorted(tokens), fee, state: { ...unknown, feePips: fee, tickSpacing, ticks } }
    }),
    venue_e: e.poolKeys.map((key) => {
      const { currency0, currency1, fee, tickSpacing } = key
      const ticks = ticksOf((slot) => read(e.poolManager, slot), tickSlotsOf(key), tickSpacing)
      return { key, tokens: [currency0, currency1], state: { ...unknown, feePips: fee, tickSpacing, ticks } }
    }),
  }
}

function ticksOf(read: (slot: Hex) => bigint, slots: TickSlots, tickSpacing: number): Ticks {
  return wordsOf(slots.bitmap, tickSpacing)
    .flatMap(({ word, slot }) => ticksOfWord(word, read(slot), tickSpacing))
    .map((tick) => ({ tick, liquidityNet: netLiquidity(read(slotOf(tick, slots.ticks))) }))
}

const knownWords = new Map<string, readonly Word[]>()

interface Word {
  readonly word: number
  readonly slot: Hex
}

/** Returns the slots of a bitmap's words: some hundred hashes, which are the same at every block. */
function wordsOf(bitmap: bigint, tickSpacing: number): readonly Word[] {
  const name = `${bitmap} ${tickSpacing}`
  const known = knownWords.get(name)
  if (known !== undefined) return known
  const words = bitmapWords(tickSpacing).map((word) => ({ word, slot: slotOf(word, bitmap) }))
  knownWords.set(name, words)
  return words
}

const slotOf = (key: number, mapping: bigint): Hex => numberToHex(mappingSlot(key, mapping), { size: 32 })
