import { FEED_DECIMALS, FEEDS, REGISTRY } from '../../src/fixtures/tokens.ts'

/** Returns the USD mark of the chain's price feed for a token of the registry; null: it has none. */
export function feedMarkOf(symbol: string): number | null {
  const feed = Object.entries(REGISTRY).find(([known]) => known === symbol)?.[1].feed ?? null
  return feed === null ? null : Number(FEEDS[feed].answer) / 10 ** FEED_DECIMALS
}
