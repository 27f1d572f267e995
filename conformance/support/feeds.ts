import { FEED_DECIMALS, FEEDS, REGISTRY } from '../../src/fixtures/tokens.ts'
import type { FeedMarks, SwapParameters } from '../../src/oracles/index.ts'

/** Returns the USD mark of the chain's price feed for a token of the registry; null: it has none. */
export function feedMarkOf(symbol: string): number | null {
  const feed = Object.entries(REGISTRY).find(([known]) => known === symbol)?.[1].feed ?? null
  return feed === null ? null : Number(FEEDS[feed].answer) / 10 ** FEED_DECIMALS
}

/** Returns the marks of the chain's feeds for a swap; null: one is unknown, and no impact is judged. */
export function feedsOf({ from, to }: Pick<SwapParameters, 'from' | 'to'>): FeedMarks | null {
  const marks = { from: feedMarkOf(from), to: feedMarkOf(to), sound: true }
  return marks.from === null || marks.to === null ? null : marks
}
