import { type Address, parseAbi } from 'viem'
import type { OrderBookState } from '../models/orderBook.ts'
import { call, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'struct Level { uint128 price; uint128 size; }',
  'function levels(address base, address quoteToken) view returns (Level[] asks, Level[] bids)',
])

/** A market with its tokens in the venue's own order. */
export interface Market {
  readonly tokens: readonly [base: Address, quote: Address]
  readonly state: OrderBookState
}

/** The markets of the order book, whichever way round each pair was opened. A market never opened reads as empty. */
export async function readOrderBook(
  reader: Reader,
  venue: Address,
  pairs: readonly (readonly [Address, Address])[],
): Promise<Market[]> {
  const answers = await readAll(
    reader,
    pairs.flatMap(([one, other]) => [
      call(venue, abi, 'levels', [one, other]),
      call(venue, abi, 'levels', [other, one]),
    ]),
  )
  return pairs.map(([one, other], index) => {
    const given = market([one, other], answers[2 * index])
    const turned = market([other, one], answers[2 * index + 1])
    return turned.state.asks.length + turned.state.bids.length > 0 ? turned : given
  })
}

function market(
  tokens: Market['tokens'],
  sides: readonly [OrderBookState['asks'], OrderBookState['bids']] = [[], []],
): Market {
  return { tokens, state: { asks: sides[0], bids: sides[1] } }
}
