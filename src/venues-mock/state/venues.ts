import { type Address, hexToBigInt, numberToHex, parseAbi } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { ConcentratedState } from '../models/concentrated.ts'
import type { ConstantProductState } from '../models/constantProduct.ts'
import type { OracleMakerState } from '../models/oracleMaker.ts'
import type { OrderBookState } from '../models/orderBook.ts'
import type { SingletonState } from '../models/singleton.ts'
import type { StableSwapState } from '../models/stableSwap.ts'
import { readConcentrated } from './concentrated.ts'
import { readConstantProduct } from './constantProduct.ts'
import { readOracleMaker } from './oracleMaker.ts'
import { readOrderBook } from './orderBook.ts'
import { call, type Pool, PoolStateError, type Reader, type Request, readAll } from './reader.ts'
import { type PoolKey, readSingleton } from './singleton.ts'
import { readStableSwap } from './stableSwap.ts'

const faultAbi = parseAbi(['function fault() view returns (uint8 fault, uint256 value)'])

/** The state that determines the prices of the six venues, at one block. */
export interface VenueStates {
  readonly blockNumber: bigint
  readonly timestampS: bigint
  /** The fault switch of each venue, as the ordinal of `IFaulty.Fault`. */
  readonly faults: Readonly<Record<VenueId, number>>
  readonly venue_a: readonly Pool<ConstantProductState>[]
  readonly venue_b: readonly (Pool<ConcentratedState> & { readonly fee: number })[]
  readonly venue_c: readonly Pool<OrderBookState>[]
  readonly venue_d: readonly Pool<StableSwapState>[]
  readonly venue_e: readonly (Pool<SingletonState> & { readonly key: PoolKey })[]
  readonly venue_f: readonly Pool<OracleMakerState>[]
}

/** The pools with ticks. Only the parts of a known state that depend on its liquidity are used. */
export type KnownTicks = Pick<VenueStates, 'venue_b' | 'venue_e'>

/** The fields of a block that the readers need. */
type KnownBlock = Pick<VenueStates, 'timestampS'> & { readonly number: bigint }

/** Returns the venue with this id in a manifest. */
export function venueOf<Id extends VenueId>(manifest: Manifest, id: Id): VenueOf<Id> {
  const found = manifest.venues.find((venue) => venue.id === id)
  // The schema requires six venues but does not forbid duplicates.
  if (found === undefined) throw new PoolStateError(manifest.settlement.address, `the manifest lacks ${id}`)
  return found as VenueOf<Id>
}

/**
 * Reads the whole state of every pool in the manifest.
 *
 * @param request sends one JSON-RPC call to the node of the manifest.
 * @param at the block to read at, or its number; default: the newest.
 * @param known the same pools at an earlier block, if the liquidity of venue_b and venue_e has not changed since; it saves the
 * search for their ticks, which takes most of the time.
 * @throws {PoolStateError} a pool is missing, or in a state that the models do not cover; also the errors of `request`.
 */
export async function readVenueStates(
  request: Request,
  manifest: Manifest,
  at?: bigint | KnownBlock,
  known?: KnownTicks,
): Promise<VenueStates> {
  const block = typeof at === 'object' ? at : await readBlock(request, at)
  const reader: Reader = { request, multicall3: manifest.multicall3, blockNumber: block.number }
  const [a, b, c, d, e, f] = [
    venueOf(manifest, 'venue_a'),
    venueOf(manifest, 'venue_b'),
    venueOf(manifest, 'venue_c'),
    venueOf(manifest, 'venue_d'),
    venueOf(manifest, 'venue_e'),
    venueOf(manifest, 'venue_f'),
  ]
  const [faults, venue_a, venue_b, venue_c, venue_d, venue_e, venue_f] = await Promise.all([
    readFaults(reader, [a, b, c, d, e, f]),
    readPairs(reader, a),
    Promise.all(b.pools.map((pool, index) => readRangePool(reader, b, pool, known?.venue_b[index]?.state))),
    readOrderBook(reader, c),
    readStableSwap(reader, d),
    Promise.all(
      e.poolKeys.map(async (key, index) => ({
        key,
        tokens: [key.currency0, key.currency1] as const,
        state: await readSingleton(reader, e.poolManager, key, known?.venue_e[index]?.state),
      })),
    ),
    readOracleMaker(reader, f, block.timestampS),
  ])
  const { number, timestampS } = block
  return { blockNumber: number, timestampS, faults, venue_a, venue_b, venue_c, venue_d, venue_e, venue_f }
}

async function readBlock(request: Request, blockNumber: bigint | undefined): Promise<KnownBlock> {
  const tag = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const block = (await request('eth_getBlockByNumber', [tag, false])) as {
    number: `0x${string}`
    timestamp: `0x${string}`
  }
  return { number: hexToBigInt(block.number), timestampS: hexToBigInt(block.timestamp) }
}

async function readFaults(
  reader: Reader,
  venues: readonly { readonly id: VenueId; readonly address: Address }[],
): Promise<Record<VenueId, number>> {
  const answers = await readAll(
    reader,
    venues.map(({ address }) => call(address, faultAbi, 'fault', [])),
  )
  return Object.fromEntries(venues.map(({ id }, index) => [id, answers[index]?.[0] ?? 0])) as Record<
    VenueId,
    number
  >
}

async function readPairs(reader: Reader, venue: VenueOf<'venue_a'>): Promise<Pool<ConstantProductState>[]> {
  const pools = venue.pairs.map(({ tokens, pool }) => {
    if (pool === undefined)
      throw new PoolStateError(venue.address, 'the manifest names a pair without its pool')
    return { tokens: sorted(tokens), pool }
  })
  const states = await readConstantProduct(
    reader,
    pools.map(({ pool }) => pool),
  )
  return pools.flatMap(({ tokens }, index) => {
    const state = states[index]
    return state === undefined ? [] : [{ tokens, state }]
  })
}

async function readRangePool(
  reader: Reader,
  venue: VenueOf<'venue_b'>,
  { tokens, fee, pool }: VenueOf<'venue_b'>['pools'][number],
  known: ConcentratedState | undefined,
) {
  const tier = venue.feeTiers.find((each) => each.fee === fee)
  if (tier === undefined)
    throw new PoolStateError(pool, `the manifest has no tick spacing for its fee ${fee}`)
  return { tokens: sorted(tokens), fee, state: await readConcentrated(reader, pool, tier.tickSpacing, known) }
}

/** Returns the tokens sorted by address, as in Uniswap's pools. */
export function sorted(tokens: readonly [Address, Address]): [Address, Address] {
  return tokens[0].toLowerCase() < tokens[1].toLowerCase() ? [tokens[0], tokens[1]] : [tokens[1], tokens[0]]
}
