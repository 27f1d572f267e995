import { decodeAbiParameters, decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import type { VenueId } from '../../spec/venues.ts'
import type { Address } from '../requests.ts'
import { AT, TEST_MANIFEST } from '../testing/manifest.ts'
import { adapterAbi, directSwapAbi, settlementAbi } from './abi.ts'
import type { Order, Venue, Way } from './venue.ts'
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

const order: Order = {
  tokenIn: AT.native,
  tokenOut: USDG,
  amountInRaw: 1_000n,
  feeRaw: 5n,
  feeRecipient: AT.partner,
  minimumRaw: 77n,
  sender: AT.sender,
}
const settle = (id: VenueId, changes: Partial<Order> = {}) => {
  const full = { ...order, ...changes }
  return venueOf(id).settle(wayOf(id, full.tokenIn, full.tokenOut), full)
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

describe('settlement with the fee inside', () => {
  const swapOf = (id: VenueId, changes: Partial<Order> = {}) =>
    decodeFunctionData({ abi: settlementAbi, data: settle(id, changes).data }).args[0]

  test('carries the whole order', () => {
    const swap = swapOf('venue_a')
    expect(
      JSON.stringify(swap, (_key, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      ).toLowerCase(),
    ).toBe(
      JSON.stringify({
        venue: AT.venueA,
        tokenIn: AT.native,
        tokenOut: USDG,
        venueTokenIn: AT.weth,
        venueTokenOut: USDG,
        amountIn: '1000',
        feeAmount: '5',
        feeRecipient: AT.partner,
        minimumOut: '77',
        usePermit2: false,
        route: wayOf('venue_a', AT.native, USDG).path,
      }).toLowerCase(),
    )
  })

  test('native input: all of it is sent along, and there is nothing to allow', () => {
    for (const id of ['venue_a', 'venue_b', 'venue_e', 'venue_f'] as const)
      expect(settle(id)).toMatchObject({
        to: AT.settlement,
        valueRaw: 1_000n,
        allowanceTarget: null,
        permit2: false,
        feeTransfer: null,
      })
  })

  test.each([
    ['venue_a', false],
    ['venue_b', true],
    ['venue_e', true],
    ['venue_f', false],
  ] as const)('ERC-20 input of %s: permit %s', (id, permit2) => {
    const erc20 = { tokenIn: USDG, tokenOut: AT.native }
    expect(settle(id, erc20)).toMatchObject({ valueRaw: 0n, allowanceTarget: AT.settlement, permit2 })
    expect(swapOf(id, erc20).usePermit2).toBe(permit2)
  })

  test('without a fee there is no recipient', () => {
    expect(swapOf('venue_a', { feeRaw: 0n, feeRecipient: null }).feeRecipient).toBe(AT.native)
  })
})

describe.each(['venue_c', 'venue_d'] as const)('settlement of %s', (id) => {
  const place = id === 'venue_c' ? AT.venueC : AT.venueD

  test('native input: the venue is sent what it swaps, the fee wallet the rest', () => {
    const { data, ...settlement } = settle(id)
    expect(settlement).toEqual({
      to: place,
      valueRaw: 995n,
      allowanceTarget: null,
      permit2: false,
      feeTransfer: { token: 'native', to: AT.feeWallet, amountRaw: '5' },
    })
    const [, , amountIn, minimumOut, recipient] = decodeFunctionData({ abi: directSwapAbi, data }).args
    expect([amountIn, minimumOut, recipient.toLowerCase()]).toEqual([995n, 77n, AT.sender])
  })

  test('ERC-20 input: the venue itself is allowed, the fee is in the same token', () => {
    expect(settle(id, { tokenIn: USDG, tokenOut: AT.native })).toMatchObject({
      valueRaw: 0n,
      allowanceTarget: place,
      feeTransfer: { token: USDG, to: AT.feeWallet, amountRaw: '5' },
    })
  })

  test('a fee that rounds to nothing needs no transfer', () => {
    expect(settle(id, { feeRaw: 0n }).feeTransfer).toBe(null)
  })
})
