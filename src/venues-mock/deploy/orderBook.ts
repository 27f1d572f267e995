import { encodeAbiParameters, type Hex } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { INVENTORIES, ORDER_BOOK_MARKETS, VENUE_LABELS } from '../../fixtures/pools.ts'
import { orderBookVenueAbi, orderBookVenueBytecode } from '../generated/OrderBookVenue.ts'
import { manifestAbi, type PlannedVenue, stock, type World } from './world.ts'

/** Plans venue_c: the order book, the tokens behind its levels, and its markets. */
export function planOrderBook(world: World): PlannedVenue<'venue_c'> {
  const { tokens } = world
  const address = world.deployer.create(
    'create venue_c',
    orderBookVenueBytecode,
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [tokens.WETH, ACCOUNTS.operator.address]),
  )
  stock(world, address, INVENTORIES.orderBook)
  const pairs = ORDER_BOOK_MARKETS.map(({ tokens: [base, quote], asks, bids }) => {
    const pair: [Hex, Hex] = [tokens[base], tokens[quote]]
    world.operator.call(`write the book ${base}/${quote}`, address, {
      abi: orderBookVenueAbi,
      functionName: 'setLevels',
      args: [...pair, asks, bids],
    })
    return { tokens: pair }
  })
  return {
    id: 'venue_c',
    kind: 'order-book',
    fee: 'transfer',
    label: VENUE_LABELS.venue_c,
    address,
    abi: manifestAbi(orderBookVenueAbi),
    pairs,
  }
}
