import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  numberToHex,
  padHex,
  size,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { CANONICAL, NATIVE } from '../fixtures/canonical.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import { constantProductVenueAbi } from './generated/ConstantProductVenue.ts'
import { settlementAbi } from './generated/Settlement.ts'
import { type FrontWorld, PARTNER, type Terms } from './testing/frontWorld.ts'
import { pathRoute, type Trade, trades } from './testing/trades.ts'

const errors = [...settlementAbi, ...constantProductVenueAbi]

let world: FrontWorld
useFrontWorld((started) => {
  world = started
})

const NAMES = Object.keys(trades(() => NATIVE))

describe.each(NAMES)('%s', (name) => {
  it('pays the quote of the rest, carves the fee out of the input, and keeps nothing', async () => {
    const trade = world.trade(name)
    const feeAmount = trade.amountIn / 200n
    const quoted = await world.quote(trade, trade.amountIn - feeAmount)
    const settled = await world.settle(trade, { feeAmount, feeRecipient: PARTNER })
    expect(settled).toMatchObject({ succeeded: true, paid: trade.amountIn, fee: feeAmount, received: quoted })
    expect(quoted).toBeGreaterThan(0n)
    expect(await world.kept()).toBe(0n)
  })

  it('holds the minimum to the last base unit', async () => {
    const trade = world.trade(name)
    const minimumOut = await world.quote(trade)
    const thrown = await world.revertOf(
      world.trader,
      world.swapCall(trade, { minimumOut: minimumOut + 1n }),
      errors,
    )
    expect(thrown).toEqual({ errorName: 'TooLittleReceived', args: [minimumOut, minimumOut + 1n] })
    const settled = await world.settle(trade, { minimumOut })
    expect(settled).toMatchObject({ succeeded: true, received: minimumOut })
  })

  it('demands exactly the native coin that the order is about', async () => {
    const call = world.swapCall(world.trade(name))
    const { value = 0n } = call
    const thrown = await world.revertOf(world.trader, { ...call, value: value + 1n }, errors)
    expect(thrown).toEqual({ errorName: 'WrongValue', args: [value, value + 1n] })
  })
})

it('gives what the constant product gives, worked out by hand', async () => {
  // Reserves 2,000 WETH and 5,000,000 USDG; 0.995 WETH in; 997/1000 of it counts:
  // 0.992015 × 5,000,000,000,000 / (2,000 + 0.992015) = 2,478,807,992.… base units.
  const settled = await world.settle(world.trade('venue_a, WETH in'), {
    feeAmount: 5n * 10n ** 15n,
    feeRecipient: PARTNER,
  })
  expect(settled.received).toBe(2_478_807_992n)
})

describe('an order that makes no sense', () => {
  const refusal = (trade: Trade, terms?: Terms) =>
    world.revertOf(world.trader, world.swapCall(trade, terms), errors)

  it('names a venue that settlement does not know', async () => {
    const trade: Trade = { ...world.trade('venue_a, WETH in'), venue: 'venue_c' }
    expect(await refusal(trade)).toEqual({ errorName: 'UnknownVenue', args: [world.venue('venue_c')] })
  })

  it('names a venue token that is no twin of the trader’s', async () => {
    const wrongIn: Trade = { ...world.trade('venue_a, WETH in'), venueFrom: 'DUSD' }
    expect(await refusal(wrongIn)).toEqual({
      errorName: 'NotATwin',
      args: [CANONICAL.weth, world.token('DUSD')],
    })
    const wrongOut: Trade = { ...world.trade('venue_a, WETH in'), venueTo: 'ETH' }
    expect(await refusal(wrongOut)).toEqual({ errorName: 'NotATwin', args: [CANONICAL.usdg, NATIVE] })
  })

  it('sells a token for itself', async () => {
    const trade: Trade = { ...world.trade('venue_a, WETH in'), to: 'WETH', venueTo: 'WETH' }
    expect(await refusal(trade)).toEqual({ errorName: 'SameToken', args: [CANONICAL.weth] })
  })

  it('leaves nothing to swap', async () => {
    const trade = world.trade('venue_a, WETH in')
    const terms = { feeAmount: trade.amountIn, feeRecipient: PARTNER } as const
    expect(await refusal(trade, terms)).toEqual({
      errorName: 'NothingToSwap',
      args: [trade.amountIn, trade.amountIn],
    })
    expect(await refusal({ ...trade, amountIn: 0n })).toEqual({ errorName: 'NothingToSwap', args: [0n, 0n] })
  })

  it('has a fee without a recipient', async () => {
    const thrown = await refusal(world.trade('venue_a, WETH in'), { feeAmount: 1n })
    expect(thrown).toEqual({ errorName: 'NoFeeRecipient', args: [] })
  })
})

describe('non-standard tokens on venue_a', () => {
  const odd = (from: string, to: string): Trade => ({
    venue: 'venue_a',
    from,
    to,
    route: pathRoute(world.token(from), world.token(to)),
    amountIn: 10n ** 18n,
  })

  it('takes and pays a token that returns nothing', async () => {
    for (const trade of [odd('MUTE', 'WETH'), odd('WETH', 'MUTE')]) {
      const minimumOut = await world.quote(trade)
      expect(await world.settle(trade, { minimumOut })).toMatchObject({
        succeeded: true,
        received: minimumOut,
      })
    }
  })

  it('refuses a token that answers false', async () => {
    const thrown = await world.revertOf(world.trader, world.swapCall(odd('FALSY', 'WETH')), errors)
    expect(thrown.errorName).toBe('TransferFailed')
  })

  it.each([
    ['TAXED', 'WETH'],
    ['WETH', 'TAXED'],
  ])('%s to %s: measures what arrives after the tax, and holds the minimum to that', async (from, to) => {
    const trade = odd(from, to)
    const quoted = await world.quote(trade)
    const probe = await world.client.request('evm_snapshot')
    const { received } = await world.settle(trade)
    await world.client.request('evm_revert', [probe])
    // One transfer is taxed by 1 %; the input's price moves by a little less.
    expect(received).toBeLessThan(quoted)
    expect(received).toBeGreaterThan((quoted * 989n) / 1_000n)
    const tooMuch = world.swapCall(trade, { minimumOut: received + 1n })
    expect(await world.revertOf(world.trader, tooMuch, errors)).toEqual({
      errorName: 'TooLittleReceived',
      args: [received, received + 1n],
    })
    expect(await world.settle(trade, { minimumOut: received })).toMatchObject({ succeeded: true, received })
    expect(await world.kept()).toBe(0n)
  })
})

describe('guards', () => {
  it('takes no native coin outside a swap', async () => {
    const thrown = await world.revertOf(world.trader, { to: world.settlement, value: 1n }, errors)
    expect(thrown).toEqual({ errorName: 'NotSwapping', args: [] })
  })

  it('cannot be entered again by a fee recipient, who could otherwise swap', async () => {
    const recipient = '0x00000000000000000000000000000000000fee02'
    const inner = world.swapCall(world.trade('venue_a, WETH in'))
    await world.client.request('anvil_setCode', [recipient, callOnReceive(inner.to, inner.data ?? '0x')])
    await world.client.request('anvil_setBalance', [recipient, numberToHex(10n ** 20n)])
    await world.client.request('anvil_impersonateAccount', [recipient])
    const args = [recipient, 10n ** 19n] as const
    const funding = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await world.send(world.trader, { to: CANONICAL.weth, data: funding })
    await world.approve(recipient, CANONICAL.weth, world.settlement)
    const innerCall = async () =>
      hexToBigInt((await world.client.request('eth_getStorageAt', [recipient, '0x0', 'latest'])) as Hex)

    await world.send(world.trader, { to: recipient, value: 1n })
    expect(await innerCall()).toBe(SUCCEEDED)
    const outer = await world.settle(world.trade('venue_a, native in'), {
      feeAmount: 1n,
      feeRecipient: recipient,
    })
    expect(outer.succeeded).toBe(true)
    expect(await innerCall()).toBe(FAILED)
  })
})

const FAILED = 1n
const SUCCEEDED = 2n

/** Returns code that calls `to` whenever it is called, and stores in slot 0 the success flag plus one. */
function callOnReceive(to: Hex, data: Hex): Hex {
  const length = padHex(numberToHex(size(data)), { size: 2 })
  const head = (offset: Hex) =>
    concatHex([
      '0x61',
      length,
      '0x61',
      offset,
      '0x5f39', // CODECOPY(0, offset, length)
      '0x5f5f61',
      length,
      '0x5f5f73',
      to,
      '0x5af1', // CALL(gas, to, 0, 0, length, 0, 0)
      '0x6001015f5500', // SSTORE(0, success + 1), STOP
    ])
  return concatHex([head(padHex(numberToHex(size(head('0x0000'))), { size: 2 })), data])
}
