import { encodeFunctionData, type Hex, hexToBigInt, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import { orderBookVenueAbi } from './generated/OrderBookVenue.ts'
import { stableSwapVenueAbi } from './generated/StableSwapVenue.ts'
import type { FrontWorld } from './testing/frontWorld.ts'

type DirectId = 'venue_c' | 'venue_d'

const ETHER = 10n ** 18n
const DOLLAR = 10n ** 6n
const operator = ACCOUNTS.operator.address
const alice = ACCOUNTS.alice.address
const bob = ACCOUNTS.bob.address
const errors = [...orderBookVenueAbi, ...stableSwapVenueAbi]

let world: FrontWorld
useFrontWorld(async (started) => {
  world = started
  for (const symbol of ['WETH', 'USDG', 'DUSD', 'LSETH']) {
    await world.approve(alice, world.token(symbol), world.venue('venue_c'))
    await world.approve(alice, world.token(symbol), world.venue('venue_d'))
  }
})

function quoteCall(id: DirectId, from: string, to: string, amountIn: bigint) {
  const args = [world.token(from), world.token(to), amountIn] as const
  return {
    to: world.venue(id),
    data: encodeFunctionData({ abi: orderBookVenueAbi, functionName: 'quote', args }),
  }
}

async function quote(id: DirectId, from: string, to: string, amountIn: bigint): Promise<bigint> {
  return hexToBigInt(await world.call(alice, quoteCall(id, from, to, amountIn)))
}

/** Alice sells, bob receives. */
function swapCall(id: DirectId, from: string, to: string, amountIn: bigint, minimumOut = 0n) {
  const args = [world.token(from), world.token(to), amountIn, minimumOut, bob] as const
  return {
    to: world.venue(id),
    value: from === 'ETH' ? amountIn : 0n,
    data: encodeFunctionData({ abi: orderBookVenueAbi, functionName: 'swap', args }),
  }
}

/** Returns the amount that a swap delivers to bob. */
async function swap(id: DirectId, from: string, to: string, amountIn: bigint): Promise<bigint> {
  const before = await world.balance(world.token(to), bob)
  const outcome = await world.send(alice, swapCall(id, from, to, amountIn))
  expect(outcome.succeeded).toBe(true)
  return (await world.balance(world.token(to), bob)) - before
}

/** Outputs worked out by hand from the fixtures; those of venue_d by Curve's own code, run separately. */
const TRADES: readonly (readonly [DirectId, string, string, bigint, bigint])[] = [
  // 5 × 2,499 + 2 × 2,497
  ['venue_c', 'WETH', 'USDG', 7n * ETHER, 17_489n * DOLLAR],
  ['venue_c', 'ETH', 'USDG', 7n * ETHER, 17_489n * DOLLAR],
  // 5 × 2,501 buys 5; 2,503 buys one more
  ['venue_c', 'USDG', 'WETH', 15_008n * DOLLAR, 6n * ETHER],
  ['venue_c', 'USDG', 'ETH', 15_008n * DOLLAR, 6n * ETHER],
  // 1,000 ÷ 1.0002, rounded down
  ['venue_c', 'USDG', 'DUSD', 1_000n * DOLLAR, 999_800_039_992_001_599_680n],
  ['venue_d', 'USDG', 'DUSD', 1_000n * DOLLAR, 999761520306930356104n],
  ['venue_d', 'DUSD', 'USDG', 1_000n * ETHER, 999435240n],
  ['venue_d', 'WETH', 'LSETH', ETHER, 952137239076249406n],
  ['venue_d', 'ETH', 'LSETH', ETHER, 952137239076249406n],
  ['venue_d', 'LSETH', 'ETH', ETHER, 1049421666231162944n],
]

describe('the venues that users call directly', () => {
  it.each(TRADES)('%s: %s to %s pays what it quotes', async (id, from, to, amountIn, amountOut) => {
    expect(await quote(id, from, to, amountIn)).toBe(amountOut)
    const paid = world.token(from === 'ETH' ? 'WETH' : from)
    const held = await world.balance(paid, world.venue(id))
    expect(await swap(id, from, to, amountIn)).toBe(amountOut)
    expect((await world.balance(paid, world.venue(id))) - held).toBe(amountIn)
  })

  it.each(TRADES)('%s: %s to %s holds the minimum to the base unit', async (id, from, to, amountIn, out) => {
    const thrown = await world.revertOf(alice, swapCall(id, from, to, amountIn, out + 1n), errors)
    expect(thrown).toEqual({ errorName: 'TooLittleOut', args: [out, out + 1n] })
    expect((await world.send(alice, swapCall(id, from, to, amountIn, out))).succeeded).toBe(true)
  })

  it.each(['venue_c', 'venue_d'] as const)(
    '%s takes exactly the value that the swap is about',
    async (id) => {
      const to = id === 'venue_c' ? 'USDG' : 'LSETH'
      const native = { ...swapCall(id, 'ETH', to, ETHER), value: ETHER - 1n }
      const wrapped = { ...swapCall(id, 'WETH', to, ETHER), value: 1n }
      for (const [call, args] of [
        [native, [ETHER, ETHER - 1n]],
        [wrapped, [0n, 1n]],
      ] as const) {
        expect(await world.revertOf(alice, call, errors)).toEqual({ errorName: 'WrongValue', args })
      }
      const gift = { to: world.venue(id), value: 1n }
      expect(await world.revertOf(alice, gift, errors)).toEqual({ errorName: 'NotWeth', args: [alice] })
    },
  )

  it.each(['venue_c', 'venue_d'] as const)('%s fails as its switch says, and only so', async (id) => {
    const trade = [id, 'USDG', 'DUSD', 1_000n * DOLLAR] as const
    const honest = await quote(...trade)
    const refuses = async (call: { readonly to: Hex; readonly data: Hex }) =>
      (await world.revertOf(alice, call, errors)).errorName
    await world.setFault(id, { kind: 'no-liquidity' })
    expect(await refuses(quoteCall(...trade))).toBe('NoLiquidity')
    expect(await refuses(swapCall(...trade))).toBe('NoLiquidity')
    await world.setFault(id, { kind: 'revert-on-quote' })
    expect(await refuses(quoteCall(...trade))).toBe('QuoteRefused')
    await world.setFault(id, { kind: 'revert-on-swap' })
    expect(await quote(...trade)).toBe(honest)
    expect(await refuses(swapCall(...trade))).toBe('SwapRefused')
    await world.setFault(id, { kind: 'nonsense-on-quote', answer: 'largest-uint256' })
    expect(await quote(...trade)).toBe(maxUint256)
    await world.setFault(id, { kind: 'nonsense-on-quote', answer: 'empty' })
    expect(await world.call(alice, quoteCall(...trade))).toBe('0x')
    await world.setFault(id, { kind: 'move-on-swap', lossBps: 100 })
    expect(await quote(...trade)).toBe(honest)
    expect(await swap(...trade)).toBe((honest * 9_900n) / 10_000n)
  })
})

describe('venue_c', () => {
  const setLevels = (base: string, quoteToken: string, asks: Level[], bids: Level[]) => ({
    to: world.venue('venue_c'),
    data: encodeFunctionData({
      abi: orderBookVenueAbi,
      functionName: 'setLevels',
      args: [world.token(base), world.token(quoteToken), asks, bids],
    }),
  })
  interface Level {
    readonly price: bigint
    readonly size: bigint
  }
  const PRICE = 10n ** 24n

  it('uses its levels up, the best first, until it is dry', async () => {
    // The bids buy 455 WETH in all.
    await swap('venue_c', 'WETH', 'USDG', 6n * ETHER)
    expect(await quote('venue_c', 'WETH', 'USDG', ETHER)).toBe(2_497n * DOLLAR)
    await swap('venue_c', 'WETH', 'USDG', 448n * ETHER)
    expect(await quote('venue_c', 'WETH', 'USDG', ETHER)).toBe(2_450n * DOLLAR)
    const thrown = await world.revertOf(alice, swapCall('venue_c', 'WETH', 'USDG', ETHER + 1n), errors)
    expect(thrown).toEqual({ errorName: 'BookDry', args: [1n] })
    await swap('venue_c', 'WETH', 'USDG', ETHER)
    expect(await world.revertOf(alice, quoteCall('venue_c', 'WETH', 'USDG', 1n), errors)).toEqual({
      errorName: 'BookDry',
      args: [1n],
    })
    // The other side is untouched.
    expect(await quote('venue_c', 'USDG', 'WETH', 2_501n * DOLLAR)).toBe(ETHER)
  })

  it('knows the markets that were opened, and no other', async () => {
    for (const [from, to] of [
      ['WETH', 'DUSD'],
      ['ETH', 'WETH'],
    ] as const) {
      const thrown = await world.revertOf(alice, quoteCall('venue_c', from, to, ETHER), errors)
      expect(thrown.errorName).toBe('NoMarket')
    }
  })

  it('refuses levels that are empty, out of order, or of a market open the other way round', async () => {
    const level = { price: PRICE, size: ETHER }
    const cases = [
      [setLevels('DUSD', 'USDG', [{ ...level, size: 0n }], []), 'EmptyLevel'],
      [setLevels('DUSD', 'USDG', [level, level], []), 'LevelsOutOfOrder'],
      [setLevels('DUSD', 'USDG', [], [level, { ...level, price: PRICE + 1n }]), 'LevelsOutOfOrder'],
      [setLevels('USDG', 'DUSD', [level], []), 'NoMarket'],
    ] as const
    for (const [call, errorName] of cases) {
      expect((await world.revertOf(operator, call, errors)).errorName).toBe(errorName)
    }
    const thrown = await world.revertOf(alice, setLevels('DUSD', 'USDG', [level], []), errors)
    expect(thrown).toEqual({ errorName: 'NotOperator', args: [alice] })
  })
})

describe('venue_d', () => {
  const operate = (functionName: 'donate' | 'withdraw', amount: bigint) => ({
    to: world.venue('venue_d'),
    data: encodeFunctionData({
      abi: stableSwapVenueAbi,
      functionName,
      args: [world.token('LSETH'), world.token('WETH'), amount],
    }),
  })

  it('lets the operator put in and take out, which moves the price and leaves it as it was', async () => {
    const before = await quote('venue_d', 'LSETH', 'WETH', ETHER)
    await world.send(operator, operate('donate', 100n * ETHER))
    expect(await quote('venue_d', 'LSETH', 'WETH', ETHER)).toBeLessThan(before)
    await world.send(operator, operate('withdraw', 100n * ETHER))
    expect(await quote('venue_d', 'LSETH', 'WETH', ETHER)).toBe(before)
    for (const functionName of ['donate', 'withdraw'] as const) {
      const thrown = await world.revertOf(alice, operate(functionName, 1n), errors)
      expect(thrown).toEqual({ errorName: 'NotOperator', args: [alice] })
    }
  })

  it('knows the pools that were opened, and no other; and an emptied one prices nothing', async () => {
    expect(await world.revertOf(alice, quoteCall('venue_d', 'WETH', 'USDG', ETHER), errors)).toMatchObject({
      errorName: 'NoPool',
    })
    await world.send(operator, operate('withdraw', 2_900n * ETHER))
    expect(await world.revertOf(alice, quoteCall('venue_d', 'WETH', 'LSETH', ETHER), errors)).toMatchObject({
      errorName: 'EmptyPool',
    })
  })
})
