import { encodeAbiParameters, type Hex } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { INVENTORIES, MAKER_PRICES, VENUE_LABELS } from '../../fixtures/pools.ts'
import type { TokenSymbol } from '../../fixtures/tokens.ts'
import { oracleMakerVenueAbi, oracleMakerVenueBytecode } from '../generated/OracleMakerVenue.ts'
import { manifestAbi, type PlannedVenue, stock, type World } from './world.ts'

/** Plans venue_f: the maker, its inventory, and its prices. */
export function planOracleMaker(world: World): PlannedVenue<'venue_f'> {
  const { operator, tokens } = world
  const address = world.deployer.create(
    'create venue_f',
    oracleMakerVenueBytecode,
    encodeAbiParameters([{ type: 'address' }], [ACCOUNTS.operator.address]),
  )
  stock(world, address, INVENTORIES.maker)
  for (const symbol of Object.keys(INVENTORIES.maker)) {
    operator.call(`count the maker's ${symbol}`, address, {
      abi: oracleMakerVenueAbi,
      functionName: 'sync',
      args: [tokens[symbol as TokenSymbol]],
    })
  }
  const pairs = MAKER_PRICES.map(({ tokens: [base, quote], price, spreadBps }) => {
    const pair: [Hex, Hex] = [tokens[base], tokens[quote]]
    operator.call(`price ${base}/${quote}`, address, {
      abi: oracleMakerVenueAbi,
      functionName: 'setPrice',
      args: [...pair, price, spreadBps],
    })
    return { tokens: pair }
  })
  return {
    id: 'venue_f',
    kind: 'oracle-maker',
    fee: 'inside',
    label: VENUE_LABELS.venue_f,
    address,
    abi: manifestAbi(oracleMakerVenueAbi),
    pairs,
  }
}
