import { decodeAbiParameters, decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import type { VenueId } from '../../spec/venues.ts'
import type { Address } from '../requests.ts'
import { AT, TEST_MANIFEST } from '../testing/manifest.ts'
import { adapterAbi } from './abi.ts'
import type { Venue, Way } from './venue.ts'
import { createVenues } from './venues.ts'

const USDG = AT.usdg.toLowerCase() as Address
const venues = new Map(createVenues(TEST_MANIFEST).map((venue) => [venue.id, venue]))

function venueOf(id: VenueId): Venue {
  const venue = venues.get(id)
  if (venue === undefined) throw new Error(`no ${id}`)
  return venue
}

function wayOf(id: VenueId, tokenIn: Address, tokenOut: Address): Way {
  const [way] = venueOf(id).ways(tokenIn, tokenOut)
  if (way === undefined) throw new Error(`${id} has no way`)
  return way
}

test('the venues come in the order that breaks ties', () => {
  const shuffled = { ...TEST_MANIFEST, venues: TEST_MANIFEST.venues.toReversed() }
  expect(createVenues(shuffled).map(({ id }) => id)).toEqual([
    'venue_a',
    'venue_b',
    'venue_c',
    'venue_d',
    'venue_e',
    'venue_f',
  ])
})

describe('the ways worth asking', () => {
  const pathsOf = (tokenIn: Address, tokenOut: Address) =>
    venueOf('venue_a')
      .ways(tokenIn, tokenOut)
      .map(({ path }) => decodeAbiParameters([{ type: 'address[]' }], path)[0].map((a) => a.toLowerCase()))

  test.each<[string, Address, Address, Address[][]]>([
    ['a coin is traded as WETH', AT.native, USDG, [[AT.weth, USDG]]],
    ['a listed pair is asked directly', AT.other, AT.weth, [[AT.other, AT.weth]]],
    ['two listed pairs are asked through WETH', AT.hood, USDG, [[AT.hood, AT.weth, USDG]]],
    [
      'what is not listed is asked both ways',
      AT.void,
      USDG,
      [
        [AT.void, USDG],
        [AT.void, AT.weth, USDG],
      ],
    ],
  ])('venue_a: %s', (_name, tokenIn, tokenOut, paths) => {
    expect(pathsOf(tokenIn, tokenOut)).toEqual(paths)
  })

  const feesOf = (id: VenueId, tokenIn: Address, tokenOut: Address) =>
    venueOf(id)
      .ways(tokenIn, tokenOut)
      .map(({ path }) => decodeAbiParameters([{ type: 'uint24' }], path)[0])

  test('venue_b and venue_e: the listed pools, or every tier', () => {
    expect(feesOf('venue_b', USDG, AT.native)).toEqual([500, 3000])
    expect(feesOf('venue_b', USDG, AT.hood)).toEqual([500, 3000, 10000])
    expect(feesOf('venue_e', USDG, AT.weth)).toEqual([500])
    expect(feesOf('venue_e', USDG, AT.hood)).toEqual([500, 3000])
  })

  test('venue_e trades the coin itself, the other fronts WETH', () => {
    expect(wayOf('venue_e', AT.weth, USDG)).toMatchObject({ venueTokenIn: AT.native, venueTokenOut: USDG })
    expect(wayOf('venue_e', USDG, AT.native)).toMatchObject({ venueTokenIn: USDG, venueTokenOut: AT.native })
    expect(wayOf('venue_f', USDG, AT.native)).toMatchObject({ venueTokenIn: USDG, venueTokenOut: AT.weth })
    expect(wayOf('venue_c', USDG, AT.native)).toMatchObject({ venueTokenIn: USDG, venueTokenOut: AT.native })
  })

  test('the quote asks for the amount that is put in', () => {
    const { quoteData, path } = wayOf('venue_b', AT.native, USDG)
    const { args } = decodeFunctionData({ abi: adapterAbi, data: quoteData(2n ** 256n - 1n) })
    expect(args.map(String).map((text) => text.toLowerCase())).toEqual([
      AT.weth,
      USDG,
      (2n ** 256n - 1n).toString(),
      path,
    ])
  })

  test('hops and conversions cost gas', () => {
    const gas = (id: VenueId, tokenIn: Address, tokenOut: Address) => wayOf(id, tokenIn, tokenOut).gasUnits
    expect(gas('venue_a', AT.hood, USDG)).toBeGreaterThan(gas('venue_a', AT.weth, USDG))
    expect(gas('venue_a', USDG, AT.native)).toBeGreaterThan(gas('venue_a', USDG, AT.weth))
    expect(gas('venue_e', AT.weth, USDG)).toBeGreaterThan(gas('venue_e', AT.native, USDG))
  })
})
