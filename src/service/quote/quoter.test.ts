import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { quoteResponseSchema } from '../../spec/wire.ts'
import { InvalidRequestError } from '../errors.ts'
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

  test('ranks every venue by output after gas, winner first', async () => {
    allVenuesAnswer()
    const alternatives = (await route())?.alternatives ?? []
    expect(alternatives.map(({ engine }) => engine)).toEqual([
      'venue_a',
      'venue_b',
      'venue_c',
      'venue_d',
      'venue_e',
      'venue_f',
    ])
    expect(alternatives[0]?.deltaBps).toBe(0)
    for (const [index, entry] of alternatives.entries()) {
      expect(entry.netAmountOut).toBeCloseTo(entry.amountOut - entry.gasCostOut, 9)
      expect(entry.gasCostOut).toBeGreaterThan(0)
      expect(entry.deltaBps).toBeGreaterThanOrEqual(alternatives[index - 1]?.deltaBps ?? 0)
    }
  })

  test('gas costs the same in ETH and in the output', async () => {
    allVenuesAnswer()
    const found = await route()
    expect(found?.alternatives[0]?.gasCostOut).toBeCloseTo((found?.networkFeeEth ?? 0) * 2500, 6)
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

  test('goes through WETH where no pair is listed, and names the token between', async () => {
    world.chain.venue(AT.venueA, (amountRaw) => amountRaw / 2n)
    const found = await route({ from: 'HOOD', amount: 100 })
    expect(found?.hops.map(({ from, to }) => [from, to])).toEqual([
      ['HOOD', 'WETH'],
      ['WETH', 'USDG'],
    ])
  })

  test('shows digits that were cut off as cut off', async () => {
    world.chain.venue(AT.venueA, () => 10n ** 15n)
    expect((await route({ from: 'USDG', to: 'ETH', amount: 1.23456789 }))?.amountIn).toBe(1.234567)
  })
})

describe('the fee', () => {
  const fee = { partnerFeeBps: 50, partnerFeeRecipient: AT.partner }

  test('is taken once, from the input: the venue is asked for exactly the rest', async () => {
    const asked: bigint[] = []
    world.chain.venue(AT.venueA, (amountRaw) => {
      asked.push(amountRaw)
      return 10n ** 9n
    })
    const answer = await quote({ ...fee, from: 'USDG', to: 'ETH', amount: 0.000399 })
    expect(asked).toEqual([398n])
    expect(answer).toMatchObject({
      listedFeeBps: 0,
      integratorFeeBps: 0,
      partnerFeeBps: 50,
      partnerFeeRecipient: AT.partner,
      totalFeeBps: 50,
      route: { protocolFeeBps: 50 },
    })
  })

  test('is not part of the price impact', async () => {
    world.chain.venue(AT.venueA, (amountRaw) => (amountRaw * 2500n) / 10n ** 12n)
    expect((await route(fee))?.priceImpactBps).toBe(0)
  })
})

test('the marks of the caller judge the price impact, and change nothing else', async () => {
  allVenuesAnswer()
  const plain = await route()
  const marked = await route({ fromPriceUsd: 4998, toPriceUsd: 1 })
  expect(marked).toEqual({ ...plain, priceImpactBps: 5000, quoteId: marked?.quoteId })
})

test('zero base units are refused before anything is asked', async () => {
  await expect(quote({ from: 'USDG', to: 'ETH', amount: 1e-7 })).rejects.toThrow(InvalidRequestError)
  expect(world.chain.blocks).toHaveLength(0)
})

describe('the memo', () => {
  test('answers identical parameters of one key with the same answer', async () => {
    allVenuesAnswer()
    const [first, second] = await Promise.all([quote(), quote()])
    expect(second).toBe(first)
    world.clock.advanceBy(1_499)
    expect(await quote()).toBe(first)
    world.clock.advanceBy(1)
    expect((await quote()).route?.quoteId).not.toBe(first.route?.quoteId)
    expect(world.chain.blocks).toHaveLength(2)
  })

  test('distinguishes keys and parameters', async () => {
    allVenuesAnswer()
    await quote()
    await world.quoter.quote(quoteOf(), keyOf('individual', 'another'))
    await quote({ slippageBps: 51 })
    expect(world.chain.blocks).toHaveLength(3)
  })
})
