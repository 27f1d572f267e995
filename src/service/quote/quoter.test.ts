import { decodeFunctionData } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/clock.ts'
import { quoteResponseSchema } from '../../spec/wire.ts'
import { ChainUnavailableError, InvalidRequestError } from '../errors.ts'
import type { SwapRequest } from '../requests.ts'
import { keyOf, requestOf, settleMicrotasks, testDeps } from '../testing/deps.ts'
import { AT } from '../testing/manifest.ts'
import { ScriptedChain, type SeenCall } from '../testing/scriptedChain.ts'
import { frontAbi, settlementAbi } from '../venues/abi.ts'
import { createQuoter, type Quoter } from './quoter.ts'

const caller = keyOf('individual')
const quoteOf = (changes: Partial<SwapRequest> = {}): SwapRequest => ({
  ...requestOf(),
  sender: null,
  ...changes,
})

let clock: VirtualClock
let chain: ScriptedChain
let quoter: Quoter
const quote = (changes: Partial<SwapRequest> = {}) => quoter.quote(quoteOf(changes), caller)
const route = async (changes: Partial<SwapRequest> = {}) => (await quote(changes)).route

beforeEach(() => {
  clock = new VirtualClock(1_700_000_000_000)
  chain = new ScriptedChain()
  quoter = createQuoter(testDeps(clock, chain))
})

/** Six venues that pay a little less than 2500 USDG for an ETH, venue_a the most. */
function allVenuesAnswer() {
  const places = [AT.venueA, AT.venueB, AT.venueC, AT.venueD, AT.venueE, AT.venueF]
  for (const [index, place] of places.entries())
    chain.venue(place, (amountRaw) => (amountRaw * (2_499n - BigInt(20 * index))) / 10n ** 12n)
}

describe('a quote with answers', () => {
  test('takes one round trip and has the shape of the wire', async () => {
    allVenuesAnswer()
    const answer = await quote()
    expect(chain.blocks).toHaveLength(1)
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
    chain.venue(AT.venueB, (_amount, args) => byFee[BigInt(String(args[3])).toString()] ?? 'revert')
    expect((await route())?.amountOut).toBe(2450)
  })

  test('ties keep the order of the venues', async () => {
    chain.venue(AT.venueC, () => 2_450_000_000n)
    chain.venue(AT.venueD, () => 2_450_000_000n)
    chain.feed(AT.feedEth, 0)
    const engines = (await route({ to: 'WETH', from: 'USDG' }))?.alternatives.map(({ engine }) => engine)
    expect(engines).toEqual(['venue_c', 'venue_d'])
  })

  test('caps the gas that each venue may use on the node', async () => {
    allVenuesAnswer()
    await quote()
    const toVenue = chain.blocks[0]?.filter(({ to }) => to === AT.venueA)
    expect(toVenue?.map(({ gas }) => gas)).toEqual(['0x4c4b40'])
  })

  test('goes through WETH where no pair is listed, and names the token between', async () => {
    chain.venue(AT.venueA, (amountRaw) => amountRaw / 2n)
    const found = await route({ from: 'HOOD', amount: 100 })
    expect(found?.hops.map(({ from, to }) => [from, to])).toEqual([
      ['HOOD', 'WETH'],
      ['WETH', 'USDG'],
    ])
  })

  test('shows digits that were cut off as cut off', async () => {
    chain.venue(AT.venueA, () => 10n ** 15n)
    expect((await route({ from: 'USDG', to: 'ETH', amount: 1.23456789 }))?.amountIn).toBe(1.234567)
  })
})

describe('the fee', () => {
  const fee = { partnerFeeBps: 50, partnerFeeRecipient: AT.partner }

  test('is taken once, from the input: the venue is asked for exactly the rest', async () => {
    const asked: bigint[] = []
    chain.venue(AT.venueA, (amountRaw) => {
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
    chain.venue(AT.venueA, (amountRaw) => (amountRaw * 2500n) / 10n ** 12n)
    expect((await route(fee))?.priceImpactBps).toBe(0)
  })
})

describe('no answer', () => {
  test.each([
    ['empty', '0x'],
    ['one byte', '0x2a'],
    ['zero', `0x${'00'.repeat(32)}`],
    ['2^256-1', `0x${'ff'.repeat(32)}`],
    ['two words', `0x${'01'.repeat(64)}`],
    ['a revert', 'revert'],
  ] as const)('%s is none', async (_name, nonsense) => {
    chain.venue(AT.venueA, () => nonsense)
    chain.venue(AT.venueB, () => 2_400_000_000n)
    expect((await route())?.alternatives.map(({ engine }) => engine)).toEqual(['venue_b'])
  })

  test('more than the total supply is none', async () => {
    chain.contract(AT.usdg, () => `0x${2_400_000_000n.toString(16).padStart(64, '0')}`)
    chain.venue(AT.venueA, () => 2_400_000_001n)
    chain.venue(AT.venueB, () => 2_400_000_000n)
    expect((await route())?.alternatives.map(({ engine }) => engine)).toEqual(['venue_b'])
  })

  test('an answer whose gas nothing prices is none: an unknown price is not 0', async () => {
    chain.venue(AT.venueC, () => 10n ** 18n)
    expect(await route({ from: 'LSETH', to: 'VOID' })).toBe(null)
  })

  test('gas is priced by what a WETH brings where the feeds are silent', async () => {
    for (const feed of [AT.feedEth, AT.feedUsdg, AT.feedHood]) chain.feed(feed, 0)
    chain.venue(AT.venueA, (amountRaw) => amountRaw * 3n)
    const found = await route({ from: 'USDG', to: 'HOOD' })
    expect(found?.alternatives[0]?.gasCostOut).toBeCloseTo((found?.networkFeeEth ?? 0) * 3, 12)
  })

  test('gas of a pair without feeds is priced by what a WETH brings', async () => {
    chain.venue(AT.venueA, (amountRaw) => amountRaw * 2n)
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
    expect(chain.blocks).toHaveLength(0)
  })

  test('a preferred venue is the only one asked', async () => {
    allVenuesAnswer()
    expect((await route({ preferEngine: 'venue_d' }))?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_d',
    ])
    expect(chain.blocks[0]?.some(({ to }) => to === AT.venueA)).toBe(false)
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
  expect(chain.blocks).toHaveLength(0)
})

describe('the memo', () => {
  test('answers identical parameters of one key with the same answer', async () => {
    allVenuesAnswer()
    const [first, second] = await Promise.all([quote(), quote()])
    expect(second).toBe(first)
    clock.advanceBy(1_499)
    expect(await quote()).toBe(first)
    clock.advanceBy(1)
    expect((await quote()).route?.quoteId).not.toBe(first.route?.quoteId)
    expect(chain.blocks).toHaveLength(2)
  })

  test('tells keys and parameters apart', async () => {
    allVenuesAnswer()
    await quote()
    await quoter.quote(quoteOf(), keyOf('individual', 'another'))
    await quote({ slippageBps: 51 })
    expect(chain.blocks).toHaveLength(3)
  })
})

describe('a chain that fails', () => {
  const isFanOut = (calls: readonly SeenCall[]) => new Set(calls.map(({ to }) => to)).has(AT.venueC)
  const asksOnly = (venue: string, calls: readonly SeenCall[]) => calls[0]?.to === venue

  test('each venue is asked alone when the fan-out is too slow; a slow one costs only itself', async () => {
    allVenuesAnswer()
    chain.line = (calls) => (chain.blocks.length === 1 || asksOnly(AT.venueA, calls) ? 'hangs' : 'answers')
    const answering = route()
    await settleMicrotasks()
    clock.advanceBy(4_000)
    await settleMicrotasks()
    clock.advanceBy(5_000)
    expect((await answering)?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_b',
      'venue_c',
      'venue_d',
      'venue_e',
      'venue_f',
    ])
    expect(clock.nextTimerMs()).toBe(null)
  })

  test('at once when the node refuses the fan-out', async () => {
    allVenuesAnswer()
    chain.line = (calls) => (isFanOut(calls) && chain.blocks.length === 1 ? 'breaks' : 'answers')
    expect((await route())?.alternatives).toHaveLength(6)
    expect(chain.blocks).toHaveLength(7)
  })

  test('altogether, within the budget of a quote', async () => {
    chain.line = () => 'hangs'
    const answering = expect(quote()).rejects.toThrow(ChainUnavailableError)
    await settleMicrotasks()
    clock.advanceBy(4_000)
    await settleMicrotasks()
    clock.advanceBy(5_000)
    await answering
    expect(clock.nextTimerMs()).toBe(null)
  })
})

describe('the simulation of native input with a sender', () => {
  const settled = (venue: string) => (call: SeenCall) =>
    decodeFunctionData({ abi: settlementAbi, data: call.data }).args[0].venue.toLowerCase() === venue

  test('drops a winner that would revert', async () => {
    allVenuesAnswer()
    let held = 0n
    chain.contract(AT.usdg, ({ data }) =>
      data === '0x18160ddd'
        ? `0x${'00'.repeat(16)}${'ff'.repeat(16)}`
        : `0x${held.toString(16).padStart(64, '0')}`,
    )
    chain.contract(AT.settlement, (call) => {
      if (settled(AT.venueA)(call)) return 'revert'
      held += 2_479_000_000n
      return '0x'
    })
    const found = await route({ sender: AT.sender })
    expect(found?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_b',
      'venue_c',
      'venue_d',
      'venue_e',
      'venue_f',
    ])
    expect(found?.amountOut).toBe(2479)
    expect(chain.blocks).toHaveLength(3)
    expect(chain.pretended[1]).toEqual({ [AT.sender]: { balance: '0xde0b6b3a7640000' } })
  })

  test('drops nobody when the chain stops answering', async () => {
    allVenuesAnswer()
    chain.line = (calls) => (calls.some(({ to }) => to === AT.settlement) ? 'breaks' : 'answers')
    expect((await route({ sender: AT.sender }))?.alternatives).toHaveLength(6)
    expect(chain.blocks).toHaveLength(2)
  })

  test('needs no second round trip for an ERC-20', async () => {
    chain.venue(AT.venueA, () => 10n ** 15n)
    await quote({ from: 'USDG', to: 'ETH', sender: AT.sender })
    expect(chain.blocks).toHaveLength(1)
  })
})

describe('tokens that nobody vouches for', () => {
  const other = { from: 'OTHER', fromAddress: AT.other, fromDecimals: 18, to: 'ETH' } as const
  const transferSelector = '0xa9059cbb'

  /** A token that delivers `bps` less than was sent, from a holder that has `held`. */
  function token(bps: bigint, held = 10n ** 30n, answer: `0x${string}` = '0x') {
    let received = 7n
    chain.contract(AT.other, ({ data, from }) => {
      if (data === '0x18160ddd') return `0x${held.toString(16).padStart(64, '0')}`
      if (!data.startsWith(transferSelector)) return `0x${received.toString(16).padStart(64, '0')}`
      const raw = BigInt(`0x${data.slice(-64)}`)
      if (from !== AT.poolA || raw > held) return 'revert'
      received += (raw * (10_000n - bps)) / 10_000n
      return answer
    })
  }
  const amountsAsked = () =>
    chain.blocks.map((calls) => {
      const call = calls.find(({ to }) => to === AT.venueA)
      return call && decodeFunctionData({ abi: frontAbi, data: call.data }).args[2]
    })

  beforeEach(() => chain.venue(AT.venueA, (amountRaw) => amountRaw / 2500n))

  test('that take no fee are quoted in one round trip', async () => {
    token(0n)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBe(1)
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n])
  })

  test('that take a fee are asked again with what arrives', async () => {
    token(100n)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBeCloseTo(0.99, 15)
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n, 2_475n * 10n ** 18n])
  })

  test('that take a fee deliver less of the output, too', async () => {
    token(100n)
    chain.venue(AT.venueA, () => 2_500n * 10n ** 18n)
    const found = await route({ from: 'ETH', to: 'OTHER', toAddress: AT.other, toDecimals: 18 })
    expect(found?.amountOut).toBe(2475)
    expect(chain.blocks).toHaveLength(1)
  })

  test('are probed with less when the holder has less than the amount', async () => {
    token(100n, 10n ** 19n)
    await quote({ ...other, amount: 2500 })
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n, 2_475n * 10n ** 18n])
  })

  test.each([100_000n, 900n, 1n])('are probed even where a whole pool has %i base units', async (held) => {
    token(0n, held)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBe(1)
  })

  test.each([
    ['that nobody can be seen to hold', 0n, 0n, '0x'],
    ['that answer false', 0n, 10n ** 30n, `0x${'00'.repeat(32)}`],
    ['that swallow everything', 10_000n, 10n ** 30n, '0x'],
  ] as const)('%s are refused', async (_name, bps, held, answer) => {
    token(bps, held, answer)
    expect(await route({ ...other, amount: 2500 })).toBe(null)
  })
})
