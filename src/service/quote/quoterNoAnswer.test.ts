import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { quoteResponseSchema } from '../../spec/wire.ts'
import type { SwapRequest } from '../requests.ts'
import { AT } from '../testing/manifest.ts'
import { useQuoter } from './testing/useQuoter.ts'

const { world, quote, route, allVenuesAnswer } = useQuoter((startMs) => new VirtualClock(startMs))

describe('no answer', () => {
  test.each([
    ['empty', '0x'],
    ['one byte', '0x2a'],
    ['zero', `0x${'00'.repeat(32)}`],
    ['2^256-1', `0x${'ff'.repeat(32)}`],
    ['two words', `0x${'01'.repeat(64)}`],
    ['a revert', 'revert'],
  ] as const)('%s is none', async (_name, nonsense) => {
    world.chain.venue(AT.venueA, () => nonsense)
    world.chain.venue(AT.venueB, () => 2_400_000_000n)
    expect((await route())?.alternatives.map(({ engine }) => engine)).toEqual(['venue_b'])
  })

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

  test('gas is priced by what a WETH brings where the feeds are silent', async () => {
    for (const feed of [AT.feedEth, AT.feedUsdg, AT.feedHood]) world.chain.feed(feed, 0)
    world.chain.venue(AT.venueA, (amountRaw) => amountRaw * 3n)
    const found = await route({ from: 'USDG', to: 'HOOD' })
    expect(found?.alternatives[0]?.gasCostOut).toBeCloseTo((found?.networkFeeEth ?? 0) * 3, 12)
  })

  test('gas of a pair without feeds is priced by what a WETH brings', async () => {
    world.chain.venue(AT.venueA, (amountRaw) => amountRaw * 2n)
    const found = await route({ from: 'LSETH', to: 'VOID' })
    expect(found?.alternatives[0]?.gasCostOut).toBeCloseTo((found?.networkFeeEth ?? 0) * 2, 12)
  })

  test('of any venue: the market estimate where both feeds are known, which cannot be built', async () => {
    const answer = await quote({
      from: 'HOOD',
      amount: 2,
      partnerFeeBps: 50,
      partnerFeeRecipient: AT.partner,
    })
    expect(quoteResponseSchema.parse(answer)).toEqual(answer)
    expect(answer).toMatchObject({ partnerFeeBps: 50, totalFeeBps: 50 })
    expect(answer.route).toMatchObject({
      engine: 'market',
      executable: false,
      alternatives: [],
      amountOut: 69.65,
      minimumReceived: 69.30175,
      hops: [{ from: 'HOOD', to: 'USDG', dex: 'market' }],
    })
  })

  test.each<[string, Partial<SwapRequest>]>([
    ['a token has no feed', { to: 'VOID' }],
    ['one venue was asked for', { preferEngine: 'venue_a' }],
    ['the caller sent the missing mark', { to: 'VOID', toPriceUsd: 1 }],
  ])('of any venue: null where %s, and no fee', async (_name, changes) => {
    expect(await quote({ partnerFeeBps: 10, partnerFeeRecipient: AT.partner, ...changes })).toEqual({
      route: null,
      listedFeeBps: 0,
      integratorFeeBps: 0,
      partnerFeeBps: 0,
      partnerFeeRecipient: null,
      totalFeeBps: 0,
    })
  })

  test('ETH to WETH has no venue, and nothing is asked', async () => {
    allVenuesAnswer()
    expect(await route({ to: 'WETH' })).toBe(null)
    expect(world.chain.blocks).toHaveLength(0)
  })

  test('a preferred venue is the only one asked', async () => {
    allVenuesAnswer()
    expect((await route({ preferEngine: 'venue_d' }))?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_d',
    ])
    expect(world.chain.blocks[0]?.some(({ to }) => to === AT.venueA)).toBe(false)
  })
})
