import { encodeFunctionData, type Hex, hexToBigInt } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { OTHER_TOKENS, REGISTRY } from '../fixtures/tokens.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import { blockerTokenAbi } from './generated/BlockerToken.ts'
import { mockTokenAbi } from './generated/MockToken.ts'
import { priceFeedAbi } from './generated/PriceFeed.ts'
import type { FrontWorld } from './testing/frontWorld.ts'

const [alice, bob, blocked] = [ACCOUNTS.alice.address, ACCOUNTS.bob.address, ACCOUNTS.blocked.address]
const [TRUE, FALSE] = [`0x${'1'.padStart(64, '0')}`, `0x${'0'.padStart(64, '0')}`]

let world: FrontWorld
useFrontWorld((started) => {
  world = started
})

const transfer = (symbol: string, to: Hex, amount: bigint) => ({
  to: world.token(symbol),
  data: encodeFunctionData({ abi: mockTokenAbi, functionName: 'transfer', args: [to, amount] }),
})
const approve = (symbol: string, spender: Hex) => ({
  to: world.token(symbol),
  data: encodeFunctionData({ abi: mockTokenAbi, functionName: 'approve', args: [spender, 5_000n] }),
})
const transferFrom = (symbol: string, from: Hex, to: Hex, amount: bigint) => ({
  to: world.token(symbol),
  data: encodeFunctionData({ abi: mockTokenAbi, functionName: 'transferFrom', args: [from, to, amount] }),
})

/** Returns the changes of alice's and bob's balances when she sends him 5,000 base units of a token. */
async function moved(symbol: string, send: () => Promise<unknown>) {
  const token = world.token(symbol)
  const [hers, his] = [await world.balance(token, alice), await world.balance(token, bob)]
  await send()
  return {
    taken: hers - (await world.balance(token, alice)),
    brought: (await world.balance(token, bob)) - his,
  }
}

describe('mock tokens', () => {
  const symbols = Object.keys({ ...REGISTRY, ...OTHER_TOKENS }).filter(
    (symbol) => !['ETH', 'TAXED', 'MUTE', 'FALSY', 'ZERO'].includes(symbol),
  )
  it.each(symbols)('%s moves exactly what is sent, and answers true', async (symbol) => {
    const call = transfer(symbol, bob, 5_000n)
    expect(await world.call(alice, call)).toBe(TRUE)
    expect(await moved(symbol, () => world.send(alice, call))).toEqual({ taken: 5_000n, brought: 5_000n })
  })

  it.each(Object.values(OTHER_TOKENS))('$symbol has $decimals decimals', async ({ symbol, decimals }) => {
    const data = encodeFunctionData({ abi: mockTokenAbi, functionName: 'decimals' })
    expect(hexToBigInt(await world.call(alice, { to: world.token(symbol), data }))).toBe(BigInt(decimals))
  })

  it('TAXED burns 1 % on the way, rounded down', async () => {
    const token = world.token('TAXED')
    const supply = encodeFunctionData({ abi: mockTokenAbi, functionName: 'totalSupply' })
    const before = hexToBigInt(await world.call(alice, { to: token, data: supply }))
    expect(await moved('TAXED', () => world.send(alice, transfer('TAXED', bob, 5_099n)))).toEqual({
      taken: 5_099n,
      brought: 5_049n,
    })
    expect(hexToBigInt(await world.call(alice, { to: token, data: supply }))).toBe(before - 50n)
  })

  it('MUTE moves and approves, and returns nothing', async () => {
    for (const call of [transfer('MUTE', bob, 5_000n), approve('MUTE', bob)]) {
      expect(await world.call(alice, call)).toBe('0x')
    }
    await world.send(alice, approve('MUTE', bob))
    const pull = transferFrom('MUTE', alice, bob, 5_000n)
    expect(await world.call(bob, pull)).toBe('0x')
    expect(await moved('MUTE', () => world.send(bob, pull))).toEqual({ taken: 5_000n, brought: 5_000n })
  })

  it('FALSY moves, and says that it did not', async () => {
    const call = transfer('FALSY', bob, 5_000n)
    expect(await world.call(alice, call)).toBe(FALSE)
    expect(await moved('FALSY', () => world.send(alice, call))).toEqual({ taken: 5_000n, brought: 5_000n })
    await world.send(alice, approve('FALSY', bob))
    expect(await world.call(bob, transferFrom('FALSY', alice, bob, 5_000n))).toBe(FALSE)
  })

  it('BLOCKER moves nothing to or from the blocked account', async () => {
    for (const [from, to] of [
      [alice, blocked],
      [blocked, alice],
    ] as const) {
      const thrown = await world.revertOf(from, transfer('BLOCKER', to, 1n), [...blockerTokenAbi])
      expect(thrown).toEqual({ errorName: 'Blocked', args: [blocked] })
    }
  })

  it('is minted by its owner alone, and initialized once', async () => {
    const abi = [...mockTokenAbi]
    const mint = encodeFunctionData({ abi: mockTokenAbi, functionName: 'mint', args: [[alice], 1n] })
    expect(await world.revertOf(alice, { to: world.token('DUSD'), data: mint }, abi)).toMatchObject({
      errorName: 'NotOwner',
    })
    const initialize = encodeFunctionData({
      abi: mockTokenAbi,
      functionName: 'initialize',
      args: ['Mine', 'MINE', 18, alice],
    })
    for (const symbol of ['DUSD', 'USDG']) {
      const thrown = await world.revertOf(alice, { to: world.token(symbol), data: initialize }, abi)
      expect(thrown.errorName).toBe('AlreadyInitialized')
    }
  })

  it('spends no more than the allowance', async () => {
    await world.send(alice, approve('DUSD', bob))
    const thrown = await world.revertOf(bob, transferFrom('DUSD', alice, bob, 5_001n), [...mockTokenAbi])
    expect(thrown).toEqual({ errorName: 'InsufficientAllowance', args: [bob, 5_000n, 5_001n] })
    expect((await world.send(bob, transferFrom('DUSD', alice, bob, 5_000n))).succeeded).toBe(true)
    expect((await world.send(bob, transferFrom('DUSD', alice, bob, 1n))).succeeded).toBe(false)
  })
})

describe('price feeds', () => {
  const deployer = ACCOUNTS.deployer.address
  const feed = () => world.manifest.registry.find(({ symbol }) => symbol === 'ETH')?.feed ?? '0x'
  const setMode = (mode: number) => ({
    to: feed(),
    data: encodeFunctionData({ abi: priceFeedAbi, functionName: 'setMode', args: [mode] }),
  })
  const read = () => ({
    to: feed(),
    data: encodeFunctionData({ abi: priceFeedAbi, functionName: 'latestRoundData' }),
  })
  const answer = async () => hexToBigInt(`0x${(await world.call(alice, read())).slice(66, 130)}`)

  it('answers what the owner set, then 0, then nothing, as switched', async () => {
    const data = encodeFunctionData({
      abi: priceFeedAbi,
      functionName: 'setAnswer',
      args: [260_000_000_000n],
    })
    await world.send(deployer, { to: feed(), data })
    expect(await answer()).toBe(260_000_000_000n)
    await world.send(deployer, setMode(1))
    expect(await answer()).toBe(0n)
    await world.send(deployer, setMode(2))
    expect(await world.revertOf(alice, read(), [...priceFeedAbi])).toMatchObject({ errorName: 'NoAnswer' })
    await world.send(deployer, setMode(0))
    expect(await answer()).toBe(260_000_000_000n)
  })

  it('obeys its owner alone', async () => {
    const thrown = await world.revertOf(alice, setMode(1), [...priceFeedAbi])
    expect(thrown).toEqual({ errorName: 'NotOwner', args: [alice] })
  })
})
