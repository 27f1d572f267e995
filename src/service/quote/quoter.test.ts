import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { quoteResponseSchema } from '../../spec/wire.ts'
import { keyOf } from '../testing/deps.ts'
import { AT } from '../testing/manifest.ts'
import { quoteOf, useQuoter } from './testing/useQuoter.ts'

const { world, quote, route, allVenuesAnswer } = useQuoter((startMs) => new VirtualClock(startMs))

describe('a quote with answers', () => {
  test('takes one round trip and has the shape of the wire', async () => {
    allVenuesAnswer()
    const answer = await quote()
    expect(world.chain.blocks).toHaveLength(1)
    expect(quoteResponseSchema.parse(answer)).toEqual(answer)
    expect(answer.route).toMatchObject({
      engine: 'venue_a',
      venues: ['Venue A'],
      hops: [{ from: 'ETH', to: 'USDG', dex: 'venue_a', dexName: 'Venue A', share: 1 }],
      amountIn: 1,
      amountOut: 2499,
      minimumReceived: 2486.505,
      midRate: 2499,
      priceImpactBps: 4,
      executable: true,
      expiresAt: 1_700_000_015_000,
    })
  })

  test('takes the best of the ways of one venue', async () => {
    const byFee: Record<string, bigint> = { 500: 2_400_000_000n, 3000: 2_450_000_000n }
    world.chain.venue(AT.venueB, (_amount, args) => byFee[BigInt(String(args[3])).toString()] ?? 'revert')
    expect((await route())?.amountOut).toBe(2450)
  })

  test('ties keep the order of the venues', async () => {
    world.chain.venue(AT.venueC, () => 2_450_000_000n)
    world.chain.venue(AT.venueD, () => 2_450_000_000n)
    world.chain.feed(AT.feedEth, 0)
    const engines = (await route({ to: 'WETH', from: 'USDG' }))?.alternatives.map(({ engine }) => engine)
    expect(engines).toEqual(['venue_c', 'venue_d'])
  })

  test('caps the gas that each venue may use on the node', async () => {
    allVenuesAnswer()
    await quote()
    const toVenue = world.chain.blocks[0]?.filter(({ to }) => to === AT.venueA)
    expect(toVenue?.map(({ gas }) => gas)).toEqual(['0x4c4b40'])
  })

  test('the fee is not part of the price impact', async () => {
    world.chain.venue(AT.venueA, (amountRaw) => (amountRaw * 2500n) / 10n ** 12n)
    expect((await route({ partnerFeeBps: 50, partnerFeeRecipient: AT.partner }))?.priceImpactBps).toBe(0)
  })
})

test('the marks of the caller judge the price impact, and change nothing else', async () => {
  allVenuesAnswer()
  const plain = await route()
  const marked = await route({ fromPriceUsd: 4998, toPriceUsd: 1 })
  expect(marked).toEqual({ ...plain, priceImpactBps: 5000, quoteId: marked?.quoteId })
})

test('the memo distinguishes the keys of a partner', async () => {
  allVenuesAnswer()
  await quote()
  await world.quoter.quote(quoteOf(), keyOf('individual', 'another'))
  expect(world.chain.blocks).toHaveLength(2)
})

describe('no answer', () => {
  test('an answer above the total supply does not count', async () => {
    world.chain.contract(AT.usdg, () => `0x${2_400_000_000n.toString(16).padStart(64, '0')}`)
    world.chain.venue(AT.venueA, () => 2_400_000_001n)
    world.chain.venue(AT.venueB, () => 2_400_000_000n)
    expect((await route())?.alternatives.map(({ engine }) => engine)).toEqual(['venue_b'])
  })

  test('an answer whose gas has no price does not count: an unknown price is not 0', async () => {
    world.chain.venue(AT.venueC, () => 10n ** 18n)
    expect(await route({ from: 'LSETH', to: 'VOID' })).toBe(null)
  })

  test('gas of a pair without feeds is priced by what a WETH brings', async () => {
    world.chain.venue(AT.venueA, (amountRaw) => amountRaw * 2n)
    const found = await route({ from: 'LSETH', to: 'VOID' })
    expect(found?.alternatives[0]?.gasCostOut).toBeCloseTo((found?.networkFeeEth ?? 0) * 2, 12)
  })

  test('of any venue: null where the caller sent the missing mark', async () => {
    expect(await route({ to: 'VOID', toPriceUsd: 1 })).toBe(null)
  })

  test('a preferred venue is the only one asked', async () => {
    allVenuesAnswer()
    expect((await route({ preferEngine: 'venue_d' }))?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_d',
    ])
    expect(world.chain.blocks[0]?.some(({ to }) => to === AT.venueA)).toBe(false)
  })
})
