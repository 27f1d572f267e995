import {
  type Abi,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
} from 'viem'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { PlumblineError } from '../spec/errors.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { VenueId } from '../spec/venues.ts'
import { concentratedOperator, singletonOperator } from './deploy/operators.ts'
import { concentratedOperatorAbi } from './generated/ConcentratedOperator.ts'
import { mockTokenAbi } from './generated/MockToken.ts'
import { oracleMakerVenueAbi } from './generated/OracleMakerVenue.ts'
import { orderBookVenueAbi } from './generated/OrderBookVenue.ts'
import { singletonOperatorAbi } from './generated/SingletonOperator.ts'
import { stableSwapVenueAbi } from './generated/StableSwapVenue.ts'
import { uniswapV2PairAbi } from './generated/UniswapV2Pair.ts'
import { tradedToken } from './models/venue.ts'
import { donations, shiftDown, shiftedSqrtPrice, shiftUp } from './shift.ts'
import { type VenueStates, venueOf } from './state/venues.ts'

/** A change of the price that a seller of `tokenIn` gets for `tokenOut`, in every pool of this pair on a venue. */
export interface PriceMove {
  readonly venue: VenueId
  /** Addresses as in the manifest; the native coin and WETH are interchangeable where a venue has only one of them. */
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  /** `against`: the seller gets less; `for`: more. */
  readonly direction: 'against' | 'for'
  /**
   * The approximate relative change of the price, in units of `SHIFT_ONE`. A larger shift never moves it less, and the smallest
   * steps change an output by at most one base unit: a search over `shift` finds any single unit.
   */
  readonly shift: bigint
}

/** A transaction for the operator account to send; `value` is always zero. */
export interface MoverTransaction {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
}

/** The venue has no pool of this pair, so no price can be moved. */
export class NoPoolToMoveError extends PlumblineError {
  override readonly name = 'NoPoolToMoveError'
  constructor(move: PriceMove) {
    super(
      `${move.venue} has no pool of ${move.tokenIn} and ${move.tokenOut}`,
      'Use the tokens of one pool in the manifest; on a path of two hops, move one of the two pools.',
    )
  }
}

/**
 * Returns the transactions, in order, that move a price. venue_a: tokens sent to the pair, then `sync`. venue_b and venue_e:
 * swaps that end at the new price. venue_c: new levels on the seller's side. venue_d: coins added to the pool. venue_f: a new
 * price, which is also a fresh one.
 *
 * @param states the current pools: from `readVenueStates`, at the newest block.
 * @throws {NoPoolToMoveError}
 */
export function moveTransactions(
  manifest: Manifest,
  states: VenueStates,
  move: PriceMove,
): MoverTransaction[] {
  const known = {
    ...move,
    tokenIn: tradedToken(manifest, move.venue, move.tokenIn),
    tokenOut: tradedToken(manifest, move.venue, move.tokenOut),
  }
  const pools: readonly TokenPair[] = states[move.venue]
  if (!pools.some(isPairOf(known))) throw new NoPoolToMoveError(move)
  return MOVERS[move.venue](manifest, states, known)
}

interface TokenPair {
  readonly tokens: readonly [Hex, Hex]
}

type Mover = (manifest: Manifest, states: VenueStates, move: PriceMove) => MoverTransaction[]

const MOVERS: Readonly<Record<VenueId, Mover>> = {
  venue_a(manifest, states, move) {
    const venue = venueOf(manifest, 'venue_a')
    return states.venue_a.filter(isPairOf(move)).flatMap(({ tokens, state }) => {
      const pool = venue.pairs.find(({ tokens: [one, other] }) => samePair(tokens, [one, other]))?.pool
      if (pool === undefined) return []
      const reserves = [state.reserve0, state.reserve1] as const
      const [toIn, toOut] = inTermsOf(move, tokens, reserves, move.shift)
      return [
        transfer(move.tokenIn, pool, toIn),
        transfer(move.tokenOut, pool, toOut),
        fromOperator(pool, { abi: uniswapV2PairAbi, functionName: 'sync' }),
      ]
    })
  },
  venue_b(manifest, states, move) {
    const venue = venueOf(manifest, 'venue_b')
    const hand = concentratedOperator(venue.factory).address
    return states.venue_b.filter(isPairOf(move)).flatMap(({ tokens, fee, state: { sqrtPriceX96 } }) => {
      const listed = venue.pools.find((pool) => pool.fee === fee && samePair(tokens, pool.tokens))
      if (listed === undefined) return []
      const isLower = sellsFirst(move, tokens)
      const target = shiftedSqrtPrice(sqrtPriceX96, isLower, move.shift)
      const args = [listed.pool, isLower, target] as const
      // A pool refuses a swap whose target price is its current price.
      if (target === sqrtPriceX96) return []
      return [fromOperator(hand, { abi: concentratedOperatorAbi, functionName: 'moveTo', args })]
    })
  },
  venue_c(manifest, states, move) {
    return states.venue_c.filter(isPairOf(move)).map(({ tokens, state }) => {
      const sellsBase = isAddressEqual(move.tokenIn, tokens[0])
      // Sellers of the base trade against the bids and want them high; buyers trade against the asks and want them low.
      const reprice = sellsBase === (move.direction === 'for') ? shiftUp : shiftDown
      const moved = (sellsBase ? state.bids : state.asks).map(({ price, size }) => ({
        price: reprice(price, move.shift),
        size,
      }))
      const [asks, bids] = sellsBase ? [state.asks, moved] : [moved, state.bids]
      const args = [...tokens, asks, bids] as const
      const { address } = venueOf(manifest, 'venue_c')
      return fromOperator(address, { abi: orderBookVenueAbi, functionName: 'setLevels', args })
    })
  },
  venue_d(manifest, states, move) {
    const venue = venueOf(manifest, 'venue_d').address
    return states.venue_d.filter(isPairOf(move)).flatMap(({ tokens, state }) => {
      // The invariant flattens the price: near balance it takes about A/2 times the shift of the balances.
      const balanceShift = (move.shift * state.amplification) / (2n * AMPLIFICATION_PRECISION)
      const [toIn, toOut] = inTermsOf(move, tokens, state.balances, balanceShift)
      return [
        donate(venue, move.tokenIn, move.tokenOut, toIn),
        donate(venue, move.tokenOut, move.tokenIn, toOut),
      ]
    })
  },
  venue_e(manifest, states, move) {
    const hand = singletonOperator(venueOf(manifest, 'venue_e').poolManager).address
    return states.venue_e.filter(isPairOf(move)).flatMap(({ tokens, key, state: { sqrtPriceX96 } }) => {
      const isLower = sellsFirst(move, tokens)
      const target = shiftedSqrtPrice(sqrtPriceX96, isLower, move.shift)
      const args = [key, isLower, target] as const
      if (target === sqrtPriceX96) return []
      return [fromOperator(hand, { abi: singletonOperatorAbi, functionName: 'moveTo', args })]
    })
  },
  venue_f(manifest, states, move) {
    return states.venue_f.filter(isPairOf(move)).map(({ tokens, state }) => {
      const sellsBase = isAddressEqual(move.tokenIn, tokens[0])
      const reprice = sellsBase === (move.direction === 'for') ? shiftUp : shiftDown
      const args = [...tokens, reprice(state.price, move.shift), state.spreadBps] as const
      const { address } = venueOf(manifest, 'venue_f')
      return fromOperator(address, { abi: oracleMakerVenueAbi, functionName: 'setPrice', args })
    })
  },
}

/** `StableMath.A_PRECISION`. */
const AMPLIFICATION_PRECISION = 100n

/** Returns the amounts to add on the input's and on the output's side, for reserves in the pool's own order. */
function inTermsOf(
  move: PriceMove,
  tokens: readonly [Hex, Hex],
  reserves: readonly [bigint, bigint],
  shift: bigint,
): [bigint, bigint] {
  const [reserveIn, reserveOut] = isAddressEqual(move.tokenIn, tokens[0])
    ? reserves
    : [reserves[1], reserves[0]]
  if (move.direction === 'against') return donations(reserveIn, reserveOut, shift)
  const [toOut, toIn] = donations(reserveOut, reserveIn, shift)
  return [toIn, toOut]
}

/** Returns whether the swap that moves the price sells token 0 and so lowers it. */
function sellsFirst(move: PriceMove, tokens: readonly [Hex, Hex]): boolean {
  return isAddressEqual(move.tokenIn, tokens[0]) === (move.direction === 'against')
}

function samePair([a, b]: readonly [Hex, Hex], [c, d]: readonly [Hex, Hex]): boolean {
  return (isAddressEqual(a, c) && isAddressEqual(b, d)) || (isAddressEqual(a, d) && isAddressEqual(b, c))
}

function isPairOf(move: PriceMove) {
  return ({ tokens }: TokenPair) => samePair(tokens, [move.tokenIn, move.tokenOut])
}

function fromOperator<const A extends Abi, Name extends ContractFunctionName<A>>(
  to: Hex,
  call: EncodeFunctionDataParameters<A, Name>,
): MoverTransaction {
  const data = encodeFunctionData(call as unknown as EncodeFunctionDataParameters)
  return { from: ACCOUNTS.operator.address, to, data }
}

function transfer(token: Hex, to: Hex, amount: bigint): MoverTransaction {
  return fromOperator(token, { abi: mockTokenAbi, functionName: 'transfer', args: [to, amount] })
}

function donate(venue: Hex, coin: Hex, other: Hex, amount: bigint): MoverTransaction {
  return fromOperator(venue, { abi: stableSwapVenueAbi, functionName: 'donate', args: [coin, other, amount] })
}
