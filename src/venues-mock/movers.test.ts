import { type Hex, hexToBigInt, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import type { VenueId } from '../spec/venues.ts'
import { moveTransactions, NoPoolToMoveError, type PriceMove } from './movers.ts'
import { findShift, SHIFT_ONE } from './shift.ts'
import { readVenueStates, type VenueStates } from './state/venues.ts'
import type { FrontWorld } from './testing/frontWorld.ts'
import { venueRoutes } from './testing/routes.ts'

let world: FrontWorld
let states: VenueStates
useFrontWorld(async (started) => {
  world = started
  states = await readVenueStates(world.client.request, world.manifest)
})

/** A pair of every venue in each direction of decimals, with an input worth about 2,500 USD. */
const SALES: readonly (readonly [VenueId, string, string, bigint])[] = [
  ['venue_a', 'WETH', 'USDG', 10n ** 18n],
  ['venue_a', 'USDG', 'WETH', 2_500n * 10n ** 6n],
  ['venue_a', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
  ['venue_a', 'ZERO', 'WETH', 100n],
  ['venue_a', 'BIG', 'WETH', 10n ** 30n],
  ['venue_b', 'WETH', 'USDG', 10n ** 18n],
  ['venue_b', 'USDG', 'WETH', 2_500n * 10n ** 6n],
  ['venue_b', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
  ['venue_b', 'DUSD', 'USDG', 2_500n * 10n ** 18n],
  ['venue_c', 'ETH', 'USDG', 10n ** 18n],
  ['venue_c', 'USDG', 'WETH', 2_500n * 10n ** 6n],
  ['venue_c', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
  ['venue_c', 'DUSD', 'USDG', 2_500n * 10n ** 18n],
  ['venue_d', 'ETH', 'LSETH', 10n ** 18n],
  ['venue_d', 'LSETH', 'WETH', 10n ** 18n],
  ['venue_d', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
  ['venue_d', 'DUSD', 'USDG', 2_500n * 10n ** 18n],
  ['venue_e', 'ETH', 'USDG', 10n ** 18n],
  ['venue_e', 'USDG', 'WETH', 2_500n * 10n ** 6n],
  ['venue_e', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
  ['venue_e', 'DUSD', 'USDG', 2_500n * 10n ** 18n],
  ['venue_f', 'WETH', 'USDG', 10n ** 18n],
  ['venue_f', 'USDG', 'WETH', 2_500n * 10n ** 6n],
  ['venue_f', 'USDG', 'DUSD', 2_500n * 10n ** 6n],
]

/** Returns the venue's own quote for a sale by its first route, after the moves, in one simulated block. */
async function quoteAfter(
  venue: VenueId,
  from: string,
  to: string,
  amountIn: bigint,
  direction: PriceMove['direction'],
  shift: bigint,
): Promise<bigint> {
  const [tokenIn, tokenOut] = [world.token(from), world.token(to)]
  const move = { venue, tokenIn, tokenOut, direction, shift }
  const pair = `${known(from, venue)} to ${known(to, venue)},`
  const route = venueRoutes(world.manifest, states, venue).find(({ name }) => name.startsWith(pair))
  if (route === undefined) throw new Error(`no route of ${venue} from ${from} to ${to}`)
  const { to: front, data } = route.ask(amountIn)
  const calls = [
    ...moveTransactions(world.manifest, states, move),
    { from: world.trader, to: front, data },
  ].map((call) => ({ ...call, gas: numberToHex(3_000_000) }))
  const [block] = (await world.client.request('eth_simulateV1', [
    { blockStateCalls: [{ calls }], validation: false },
    'latest',
  ])) as { readonly calls: readonly { readonly status: Hex; readonly returnData: Hex }[] }[]
  for (const { status } of block?.calls ?? []) expect(status).toBe('0x1')
  return hexToBigInt(block?.calls.at(-1)?.returnData ?? '0x')
}

/** Returns ETH or WETH, whichever the venue trades. */
function known(symbol: string, venue: VenueId): string {
  if (venue === 'venue_e') return symbol === 'WETH' ? 'ETH' : symbol
  return symbol === 'ETH' ? 'WETH' : symbol
}

describe('moveTransactions', () => {
  it.each(SALES)(
    'moves %s, %s to %s, by exactly one base unit either way',
    async (venue, from, to, amount) => {
      const quote = (direction: PriceMove['direction']) => (shift: bigint) =>
        quoteAfter(venue, from, to, amount, direction, shift)
      const still = await quote('for')(0n)
      const less = await findShift(quote('against'), still - 1n)
      expect(await quote('against')(less)).toBe(still - 1n)
      const more = await findShift(quote('for'), still + 1n)
      expect(await quote('for')(more)).toBe(still + 1n)
    },
  )

  it.each(SALES)('moves %s, %s to %s, by a tenth on request', async (venue, from, to, amount) => {
    const still = await quoteAfter(venue, from, to, amount, 'for', 0n)
    const bps = async (direction: PriceMove['direction']) =>
      Number(((await quoteAfter(venue, from, to, amount, direction, SHIFT_ONE / 10n)) * 10_000n) / still)
    // "About": within a fifth of the thousand bps, because an amount trades through more than the first price of a pool. The
    // stable swap resists a move before it gives way.
    const [least, most] = venue === 'venue_d' ? [200, 2_000] : [800, 1_200]
    const [gain, loss] = [(await bps('for')) - 10_000, 10_000 - (await bps('against'))]
    expect(gain).toBeGreaterThan(least)
    expect(gain).toBeLessThan(most)
    expect(loss).toBeGreaterThan(least)
    expect(loss).toBeLessThan(most)
  })

  it('gives transactions that the operator can really send', async () => {
    const [tokenIn, tokenOut] = [world.token('USDG'), world.token('DUSD')]
    for (const venue of ['venue_a', 'venue_b', 'venue_c', 'venue_d', 'venue_e', 'venue_f'] as const) {
      const move = { venue, tokenIn, tokenOut, direction: 'against', shift: SHIFT_ONE / 1_000n } as const
      for (const { from, ...call } of moveTransactions(world.manifest, states, move)) {
        expect((await world.send(from, call)).succeeded, venue).toBe(true)
      }
    }
  })

  it('error: NoPoolToMoveError', () => {
    const [tokenIn, tokenOut] = [world.token('HOOD'), world.token('USDG')]
    const move = { venue: 'venue_b', tokenIn, tokenOut, direction: 'for', shift: 1n } as const
    expect(() => moveTransactions(world.manifest, states, move)).toThrow(NoPoolToMoveError)
  })
})
