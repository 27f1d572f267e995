import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import { oracleMakerVenueAbi } from './generated/OracleMakerVenue.ts'
import type { FrontWorld } from './testing/frontWorld.ts'
import type { Trade } from './testing/trades.ts'

const ETHER = 10n ** 18n
const DOLLAR = 10n ** 6n
const DAY_S = 86_400
const operator = ACCOUNTS.operator.address
const errors = [...oracleMakerVenueAbi]

let world: FrontWorld
useFrontWorld((started) => {
  world = started
})

const trade = (from: string, to: string, amountIn: bigint): Trade => ({
  venue: 'venue_f',
  from,
  to,
  route: '0x',
  amountIn,
})
const sale = () => trade('WETH', 'USDG', ETHER)
const quoteError = async (asked: Trade) =>
  (await world.revertOf(world.trader, world.quoteCall(asked), errors)).errorName
const operate = (data: Hex) => world.send(operator, { to: world.venue('venue_f'), data })
const setPrice = (base: string, quote: string, price: bigint, spreadBps: bigint) =>
  encodeFunctionData({
    abi: oracleMakerVenueAbi,
    functionName: 'setPrice',
    args: [world.token(base), world.token(quote), price, spreadBps],
  })

async function blockAt(timestampS: number) {
  await world.client.request('evm_setNextBlockTimestamp', [timestampS])
  await world.client.mine()
}

describe('venue_f', () => {
  it.each([
    // 2,500 less 12 bps; 1 less 12 bps; 35 × 1,000 less 30 bps; 1,000 less 6 bps
    ['WETH', 'USDG', ETHER, 2_497n * DOLLAR],
    ['USDG', 'WETH', 2_500n * DOLLAR, 998_800_000_000_000_000n],
    ['HOOD', 'USDG', 1_000n * ETHER, 34_895n * DOLLAR],
    ['USDG', 'DUSD', 1_000n * DOLLAR, 999_400_000_000_000_000_000n],
  ] as const)(
    'pays for %s in %s what it quotes: the price less the spread',
    async (from, to, amountIn, out) => {
      expect(await world.quote(trade(from, to, amountIn))).toBe(out)
      expect(await world.settle(trade(from, to, amountIn), { minimumOut: out })).toMatchObject({
        paid: amountIn,
        received: out,
      })
    },
  )

  it('prices for a day, to the second', async () => {
    // The operator's block, the second of the deployment, set the prices.
    const { timestamp } = (await world.client.request('eth_getBlockByNumber', ['0x2', false])) as {
      readonly timestamp: Hex
    }
    await blockAt(Number(timestamp) + DAY_S)
    expect(await world.quote(sale())).toBe(2_497n * DOLLAR)
    await blockAt(Number(timestamp) + DAY_S + 1)
    expect(await quoteError(sale())).toBe('StalePrice')
    await operate(setPrice('WETH', 'USDG', 2_600n * 10n ** 24n, 0n))
    expect(await world.quote(sale())).toBe(2_600n * DOLLAR)
  })

  it('sells no more than its inventory', async () => {
    // It has 400 WETH and keeps 12 bps of the price.
    expect(await quoteError(trade('USDG', 'WETH', 1_001_202n * DOLLAR))).toBe('InsufficientInventory')
    expect(await world.quote(trade('USDG', 'WETH', 1_001_201n * DOLLAR))).toBeLessThan(400n * ETHER)
  })

  it('counts as input what arrived, never what it owns', async () => {
    const args = [world.token('WETH'), world.token('USDG'), ETHER, ACCOUNTS.alice.address, '0x'] as const
    const data = encodeFunctionData({ abi: oracleMakerVenueAbi, functionName: 'swapExactIn', args })
    const thrown = await world.revertOf(world.trader, { to: world.venue('venue_f'), data }, errors)
    expect(thrown).toEqual({ errorName: 'NotFunded', args: [0n, ETHER] })
  })

  it('prices no native coin, no unknown pair, and no pair both ways round', async () => {
    expect(await quoteError(trade('ETH', 'USDG', ETHER))).toBe('NoPrice')
    expect(await quoteError(trade('WETH', 'DUSD', ETHER))).toBe('NoPrice')
    for (const data of [
      setPrice('USDG', 'WETH', 1n, 0n),
      setPrice('WETH', 'USDG', 0n, 0n),
      setPrice('WETH', 'USDG', 1n, 10_000n),
    ]) {
      const thrown = await world.revertOf(operator, { to: world.venue('venue_f'), data }, errors)
      expect(thrown.errorName).toBe('BadPrice')
    }
  })

  it('is priced by its operator alone', async () => {
    const call = { to: world.venue('venue_f'), data: setPrice('WETH', 'USDG', 1n, 0n) }
    const thrown = await world.revertOf(world.trader, call, errors)
    expect(thrown).toEqual({ errorName: 'NotOperator', args: [world.trader] })
  })
})
