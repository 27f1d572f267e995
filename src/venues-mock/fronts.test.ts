import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { CANONICAL, NATIVE } from '../fixtures/canonical.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import type { VenueId } from '../spec/venues.ts'
import { encodeSetFault } from './faults.ts'
import { concentratedVenueAbi } from './generated/ConcentratedVenue.ts'
import { constantProductVenueAbi } from './generated/ConstantProductVenue.ts'
import { settlementAbi } from './generated/Settlement.ts'
import { singletonVenueAbi } from './generated/SingletonVenue.ts'
import type { FrontWorld } from './testing/frontWorld.ts'
import { pathRoute, poolRoute, type Trade, tierRoute } from './testing/trades.ts'

/** ABIs by venue: the errors of two fronts share names, so a union of all three would read the same. */
const FRONTS = {
  venue_a: constantProductVenueAbi as Abi,
  venue_b: concentratedVenueAbi as Abi,
  venue_e: singletonVenueAbi as Abi,
} as const
type FrontId = keyof typeof FRONTS

let world: FrontWorld
useFrontWorld((started) => {
  world = started
})

const refusal = (venue: VenueId, data: Hex, abi: Abi, value = 0n) =>
  world.revertOf(world.trader, { to: world.venue(venue), data, value }, abi)
const succeeds = async (trade: Trade) => (await world.send(world.trader, world.swapCall(trade))).succeeded

/** Returns the amount that alice receives of a token other than the native coin. */
async function received(trade: Trade): Promise<bigint> {
  const token = world.token(trade.to)
  const before = await world.balance(token, world.trader)
  expect(await succeeds(trade)).toBe(true)
  return (await world.balance(token, world.trader)) - before
}

describe.each([
  ['venue_a', 'venue_a, WETH in'],
  ['venue_a', 'venue_a, two hops'],
  ['venue_b', 'venue_b, WETH in'],
  ['venue_e', 'venue_e, native in'],
] as const)('%s (%s) in fault', (id, name) => {
  const abi = FRONTS[id]
  const trade = () => world.trade(name)
  const quoteRefusal = async () => world.revertOf(world.trader, world.quoteCall(trade()), abi)
  const swapRefusal = async () => world.revertOf(world.trader, world.swapCall(trade()), abi)

  it('is switched by its operator alone', async () => {
    const data = encodeSetFault({ kind: 'no-liquidity' })
    expect(await refusal(id, data, abi)).toEqual({ errorName: 'NotOperator', args: [world.trader] })
    expect(await succeeds(trade())).toBe(true)
  })

  it('no liquidity: refuses both steps, and recovers', async () => {
    const honest = await world.quote(trade())
    await world.setFault(id, { kind: 'no-liquidity' })
    expect(await quoteRefusal()).toEqual({ errorName: 'NoLiquidity', args: [] })
    expect(await swapRefusal()).toEqual({ errorName: 'NoLiquidity', args: [] })
    await world.setFault(id, { kind: 'none' })
    expect(await world.quote(trade())).toBe(honest)
    expect(await received(trade())).toBe(honest)
  })

  it('revert on quote: refuses the quote alone', async () => {
    await world.setFault(id, { kind: 'revert-on-quote' })
    expect(await quoteRefusal()).toEqual({ errorName: 'QuoteRefused', args: [] })
    expect(await succeeds(trade())).toBe(true)
  })

  it('revert on swap: refuses the swap alone', async () => {
    const honest = await world.quote(trade())
    await world.setFault(id, { kind: 'revert-on-swap' })
    expect(await world.quote(trade())).toBe(honest)
    expect(await swapRefusal()).toEqual({ errorName: 'SwapRefused', args: [] })
  })

  it('move on swap: quotes honestly, pays less, keeps the rest', async () => {
    const token = world.token(trade().to)
    const honest = await world.quote(trade())
    await world.setFault(id, { kind: 'move-on-swap', lossBps: 137 })
    expect(await world.quote(trade())).toBe(honest)
    const short = (honest * 9_863n) / 10_000n
    const missed = world.swapCall(trade(), { minimumOut: short + 1n })
    expect(await world.revertOf(world.trader, missed, [...settlementAbi])).toEqual({
      errorName: 'TooLittleReceived',
      args: [short, short + 1n],
    })
    expect(await received(trade())).toBe(short)
    expect(await world.balance(token, world.venue(id))).toBe(honest - short)
  })

  it('burn gas on quote: uses up all that the quote was given, and no swap’s', async () => {
    const gas = 700_000n
    await world.setFault(id, { kind: 'burn-gas-on-quote' })
    const sent = await world.send(world.trader, { ...world.quoteCall(trade()), gas })
    expect(sent).toMatchObject({ succeeded: false, gasUsed: gas })
    expect(await succeeds(trade())).toBe(true)
  })

  it('burn gas on swap: uses up all but the 64th that a call cannot pass on', async () => {
    const gas = 700_000n
    const honest = await world.quote(trade())
    await world.setFault(id, { kind: 'burn-gas-on-swap' })
    expect(await world.quote(trade())).toBe(honest)
    const sent = await world.send(world.trader, { ...world.swapCall(trade()), gas })
    expect(sent.succeeded).toBe(false)
    expect(sent.gasUsed).toBeGreaterThan((gas * 63n) / 64n - 1n)
  })

  it.each([
    ['empty', '0x'],
    ['one-byte', '0x2a'],
    ['largest-uint256', `0x${'ff'.repeat(32)}`],
    ['zero', `0x${'00'.repeat(32)}`],
  ] as const)('nonsense on quote: answers %s, and swaps as ever', async (answer, bytes) => {
    const honest = await world.quote(trade())
    await world.setFault(id, { kind: 'nonsense-on-quote', answer })
    expect(await world.call(world.trader, world.quoteCall(trade()))).toBe(bytes)
    expect(await received(trade())).toBe(honest)
  })

  it('does not come from a value beyond its range', async () => {
    const set = (kind: number, value: bigint) =>
      world.revertOf(
        ACCOUNTS.operator.address,
        {
          to: world.venue(id),
          data: encodeFunctionData({ abi, functionName: 'setFault', args: [kind, value] }),
        },
        abi,
      )
    expect(await set(4, 10_001n)).toEqual({ errorName: 'FaultValueTooLarge', args: [10_001n] })
    expect(await set(7, 4n)).toEqual({ errorName: 'FaultValueTooLarge', args: [4n] })
  })
})

it('venue_e pays native coin through the front while a fault makes it keep a part', async () => {
  const trade = world.trade('venue_e, native out')
  const honest = await world.quote(trade)
  await world.setFault('venue_e', { kind: 'move-on-swap', lossBps: 50 })
  const before = await world.balance(NATIVE, world.trader)
  const sent = await world.send(world.trader, world.swapCall(trade))
  const after = await world.balance(NATIVE, world.trader)
  expect(after - before + sent.gasCostRaw).toBe((honest * 9_950n) / 10_000n)
})

describe('a route that leads nowhere', () => {
  const quoted = (id: FrontId, from: string, to: string, route: Hex, amountIn = 10n ** 6n) =>
    world.revertOf(world.trader, world.quoteCall({ venue: id, from, to, route, amountIn }), FRONTS[id])

  it('venue_a: a path that does not join the two tokens, or is too long', async () => {
    const [weth, usdg, dusd] = [CANONICAL.weth, CANONICAL.usdg, world.token('DUSD')]
    for (const path of [[weth], [weth, dusd], [dusd, usdg], [weth, dusd, dusd, usdg]]) {
      expect(await quoted('venue_a', 'WETH', 'USDG', pathRoute(...path))).toEqual({
        errorName: 'BadPath',
        args: [path],
      })
    }
  })

  it('venue_a: a pair that does not exist', async () => {
    const [hood, usdg] = [world.token('HOOD'), CANONICAL.usdg]
    expect(await quoted('venue_a', 'HOOD', 'USDG', pathRoute(hood, usdg))).toEqual({
      errorName: 'NoPair',
      args: [hood, usdg],
    })
  })

  it('venue_a: nothing in', async () => {
    const route = pathRoute(CANONICAL.weth, CANONICAL.usdg)
    expect(await quoted('venue_a', 'WETH', 'USDG', route, 0n)).toEqual({ errorName: 'NothingIn', args: [] })
  })

  it('venue_b: a fee tier without a pool', async () => {
    expect(await quoted('venue_b', 'WETH', 'USDG', tierRoute(10_000))).toEqual({
      errorName: 'NoPool',
      args: [CANONICAL.weth, CANONICAL.usdg, 10_000],
    })
  })

  it('venue_b and venue_e: more than the pool can take', async () => {
    const amountIn = 10n ** 38n
    const dry = await quoted('venue_b', 'WETH', 'USDG', tierRoute(500), amountIn)
    expect(dry).toEqual({ errorName: 'NoLiquidity', args: [] })
    const trade: Trade = { venue: 'venue_e', from: 'ETH', to: 'USDG', route: poolRoute(500, 10), amountIn }
    await expect(world.quote(trade)).rejects.toThrow()
    expect(await quoted('venue_e', 'ETH', 'USDG', trade.route, 2n ** 128n)).toEqual({
      errorName: 'AmountTooLarge',
      args: [2n ** 128n],
    })
  })

  it('venue_b and venue_e: refuse to swap the part that fits', async () => {
    const amountIn = 10n ** 38n
    await world.client.request('anvil_setBalance', [world.trader, numberToHex(3n * amountIn)])
    await world.send(world.trader, { to: CANONICAL.weth, data: '0xd0e30db0', value: amountIn })
    for (const trade of [
      { venue: 'venue_b', from: 'WETH', to: 'USDG', route: tierRoute(500), amountIn },
      { venue: 'venue_e', from: 'ETH', to: 'USDG', route: poolRoute(500, 10), amountIn },
    ] as const) {
      const thrown = await world.revertOf(world.trader, world.swapCall(trade), FRONTS[trade.venue])
      expect(thrown).toEqual({ errorName: 'PoolRanDry', args: [expect.any(BigInt), amountIn] })
      expect(thrown.args[0]).toBeLessThan(amountIn)
    }
  })
})

describe('callbacks answer their pool alone', () => {
  it('venue_b', async () => {
    const data = encodeFunctionData({
      abi: concentratedVenueAbi,
      functionName: 'uniswapV3SwapCallback',
      args: [
        1n,
        1n,
        encodeAbiParameters(
          [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }],
          [CANONICAL.weth, CANONICAL.usdg, 500],
        ),
      ],
    })
    expect(await refusal('venue_b', data, FRONTS.venue_b)).toEqual({
      errorName: 'NotPool',
      args: [world.trader],
    })
  })

  it('venue_e', async () => {
    const data = encodeFunctionData({ abi: singletonVenueAbi, functionName: 'unlockCallback', args: ['0x'] })
    const expected = { errorName: 'NotPoolManager', args: [world.trader] }
    expect(await refusal('venue_e', data, FRONTS.venue_e)).toEqual(expected)
    expect(await refusal('venue_e', '0x', FRONTS.venue_e, 1n)).toEqual(expected)
  })
})

it.each([
  ['venue_a, WETH in', 1n, 0n],
  ['venue_b, WETH in', 1n, 0n],
  ['venue_e, native out', 1n, 0n],
  ['venue_e, native in', 10n ** 18n - 1n, 10n ** 18n],
])('%s: a front called with value %d takes %d or nothing', async (name, value, expected) => {
  const trade = world.trade(name)
  const abi = FRONTS[trade.venue as FrontId]
  const data = encodeFunctionData({
    abi,
    functionName: 'swapExactIn',
    args: [world.token(trade.from), world.token(trade.to), trade.amountIn, world.trader, trade.route],
  })
  expect(await refusal(trade.venue, data, abi, value)).toEqual({
    errorName: 'WrongValue',
    args: [expected, value],
  })
})
