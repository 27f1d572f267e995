import { parseAbi } from 'viem'
import type { VenueOf } from '../../spec/manifest.ts'
import type { OrderBookState } from '../models/orderBook.ts'
import { call, type Pool, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'struct Level { uint128 price; uint128 size; }',
  'function levels(address base, address quoteToken) view returns (Level[] asks, Level[] bids)',
])

/** Returns the venue's markets, opened in either token order. A market never opened reads as empty. */
export async function readOrderBook(
  reader: Reader,
  { address, pairs }: VenueOf<'venue_c'>,
): Promise<Pool<OrderBookState>[]> {
  const answers = await readAll(
    reader,
    pairs.flatMap(({ tokens: [one, other] }) => [
      call(address, abi, 'levels', [one, other]),
      call(address, abi, 'levels', [other, one]),
    ]),
  )
  return pairs.map(({ tokens: [one, other] }, index) => {
    const [asks, bids] = answers[2 * index + 1] ?? [[], []]
    if (asks.length + bids.length > 0) return { tokens: [other, one], state: { asks, bids } }
    const [givenAsks, givenBids] = answers[2 * index] ?? [[], []]
    return { tokens: [one, other], state: { asks: givenAsks, bids: givenBids } }
  })
}
