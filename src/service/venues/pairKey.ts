import type { Address } from '../requests.ts'
import { lower } from '../tokens/token.ts'

/** Returns a key for two tokens in either order. */
export function pairKey(tokenA: Address, tokenB: Address): string {
  const [a, b] = [lower(tokenA), lower(tokenB)]
  return a < b ? `${a}|${b}` : `${b}|${a}`
}

/** Groups listed items by pair. */
export function byPair<Item>(
  items: readonly Item[],
  tokensOf: (item: Item) => readonly [Address, Address],
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = pairKey(...tokensOf(item))
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
