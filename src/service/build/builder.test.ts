import { decodeFunctionData } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import { NoExecutableRouteError, StoreUnavailableError } from '../errors.ts'
import type { Store } from '../ports.ts'
import { createQuoter } from '../quote/quoter.ts'
import type { Build } from '../records.ts'
import type { BuildRequest } from '../requests.ts'
import { buildsOnly, keyOf, requestOf, settleMicrotasks, testDeps } from '../testing/deps.ts'
import { AT } from '../testing/manifest.ts'
import { ScriptedChain, type SeenCall } from '../testing/scriptedChain.ts'
import { directSwapAbi, settlementAbi } from '../venues/abi.ts'
import { createBuilder } from './builder.ts'

const NOW_MS = 1_700_000_000_123
let clock: VirtualClock
let chain: ScriptedChain
let builds: Build[]

beforeEach(() => {
  clock = new VirtualClock(NOW_MS)
  chain = new ScriptedChain()
  builds = []
})

function builderOf(insertBuild?: Store['insertBuild']) {
  const deps = testDeps(clock, chain, { store: buildsOnly(builds, insertBuild) })
  return createBuilder(deps, createQuoter(deps))
}
const build = (changes: Partial<BuildRequest> = {}) =>
  builderOf().build(requestOf(changes), keyOf('individual'))

const hex = (value: bigint) => value.toString(16).padStart(64, '0')
const SUPPLY = 10n ** 30n

/** Sets up a chain on which venues quote `quoted` USDG base units, and swaps deliver `delivered`, or revert if that is null. */
function world(venues: readonly { at: `0x${string}`; quoted: bigint; delivered: bigint | null }[]) {
  let held = 50n
  chain.contract(AT.usdg, ({ data }) => `0x${hex(data === '0x18160ddd' ? SUPPLY : held)}`)
  const deliver = (delivered: bigint | null | undefined, minimum: bigint) => {
    if (delivered === null || delivered === undefined || delivered < minimum) return 'revert'
    held += delivered
    return '0x'
  }
  for (const { at, quoted } of venues) chain.venue(at, () => quoted)
  chain.contract(AT.settlement, ({ data }) => {
    const [swap] = decodeFunctionData({ abi: settlementAbi, data }).args
    const venue = venues.find(({ at }) => at === swap.venue.toLowerCase())
    return deliver(venue?.delivered, swap.minimumOut)
  })
  chain.contract(AT.venueC, ({ data }) => {
    const venue = venues.find(({ at }) => at === AT.venueC)
    try {
      const { args } = decodeFunctionData({ abi: directSwapAbi, data })
      return deliver(venue?.delivered, args[3])
    } catch {
      return venue === undefined ? 'revert' : `0x${hex(venue.quoted)}`
    }
  })
}

const A = { at: AT.venueA, quoted: 2_490_000_000n, delivered: 2_490_000_000n }
const B = { at: AT.venueB, quoted: 2_480_000_000n, delivered: 2_480_000_000n }
const C = { at: AT.venueC, quoted: 2_470_000_000n, delivered: 2_470_000_000n }

const minimumOf = (data: `0x${string}`) => decodeFunctionData({ abi: settlementAbi, data }).args[0].minimumOut
const toSettlement = (calls: readonly SeenCall[] | undefined) =>
  calls?.filter(({ to }) => to === AT.settlement) ?? []

describe('a build', () => {
  test('asks once, simulates once, and has the shape of the wire', async () => {
    world([A, B])
    const answer = await build()
    expect(buildResponseSchema.parse(answer)).toEqual(answer)
    expect(chain.blocks).toHaveLength(2)
    expect(answer).toMatchObject({
      engine: 'venue_a',
      tx: {
        to: AT.settlement,
        value: '1000000000000000000',
        allowanceTarget: null,
        permit2: false,
        chainId: 4663,
      },
      feeTransfer: null,
      attribution: { validUntil: NOW_MS + 1_200_000, confirmations: 12 },
      route: { engine: 'venue_a', amountOut: 2490, executable: true, expiresAt: NOW_MS + 15_000 },
    })
    expect(minimumOf(answer.tx.data as `0x${string}`)).toBe(2_477_550_000n)
    expect(answer.route.alternatives.map(({ engine }) => engine)).toEqual(['venue_a', 'venue_b'])
  })

  test('simulates exactly what it answers when the venue keeps its word', async () => {
    world([A])
    const { tx } = await build()
    const [simulated] = toSettlement(chain.blocks[1])
    expect(simulated).toMatchObject({ from: AT.sender, to: tx.to, data: tx.data, value: '0xde0b6b3a7640000' })
    expect(chain.pretended[1]).toBe(undefined)
  })

  test('states what really arrives, and takes the minimum from that', async () => {
    world([{ ...A, delivered: 2_485_000_000n }])
    const answer = await build()
    expect(answer.route.amountOut).toBe(2485)
    expect(answer.route.alternatives[0]?.amountOut).toBe(2485)
    expect(minimumOf(answer.tx.data as `0x${string}`)).toBe(2_472_575_000n)
    expect(builds[0]?.minimumOutRaw).toBe(2_472_575_000n)
  })

  test('simulates the fee transfer where the venue cannot take the fee', async () => {
    world([C])
    await build({ partnerFeeBps: 50, partnerFeeRecipient: AT.partner })
    const moved = chain.blocks[1]?.filter(({ value }) => value !== undefined)
    expect(moved?.map(({ to, value }) => [to, BigInt(value ?? 0)])).toEqual([
      [AT.feeWallet, 5_000_000_000_000_000n],
      [AT.venueC, 995_000_000_000_000_000n],
    ])
  })
})

describe('the next venue is tried', () => {
  test('when the venue would deliver less than another promises and keeps', async () => {
    world([{ ...A, delivered: 2_478_000_000n }, B])
    const answer = await build()
    expect(answer.engine).toBe('venue_b')
    expect(answer.route.alternatives.map(({ engine, amountOut }) => [engine, amountOut])).toEqual([
      ['venue_b', 2480],
      ['venue_a', 2478],
    ])
    expect(chain.blocks).toHaveLength(3)
  })

  test('but each only once, though all break their word', async () => {
    world([
      { ...A, delivered: 2_478_000_000n },
      { ...B, delivered: 2_476_000_000n },
    ])
    const answer = await build()
    expect(answer.engine).toBe('venue_a')
    expect(chain.blocks).toHaveLength(3)
  })

  test('when the chain does not answer for the first', async () => {
    world([A, B])
    chain.line = (calls) =>
      toSettlement(calls).some(({ data }) => minimumOf(data) === 2_477_550_000n) ? 'hangs' : 'answers'
    const building = build()
    await settleMicrotasks()
    clock.advanceBy(5_000)
    expect((await building).engine).toBe('venue_b')
    expect(clock.nextTimerMs()).toBe(null)
  })
})

describe('there is no build', () => {
  const failure = (changes: Partial<BuildRequest> = {}) =>
    build(changes).then(
      () => 'built',
      (error: unknown) => error,
    )

  test('when every venue refuses or would revert: the reasons name each', async () => {
    world([{ ...A, delivered: null }])
    const error = await failure()
    expect(error).toBeInstanceOf(NoExecutableRouteError)
    expect((error as NoExecutableRouteError).reasons).toMatchObject({
      venue_a: 'the swap would revert',
      venue_b: 'reverted',
    })
    expect(builds).toEqual([])
  })

  test('when the sender lacks the native coins', async () => {
    world([A, B])
    chain.line = (calls) => {
      const refused = toSettlement(calls).length > 0
      chain.refusal = refused ? { code: -32003, message: 'Insufficient funds for gas * price + value' } : null
      return 'answers'
    }
    expect(await failure()).toBeInstanceOf(NoExecutableRouteError)
  })
})

describe('what is saved', () => {
  test('is everything that confirm compares, before the answer', async () => {
    world([A])
    const { tx, attribution } = await build()
    expect(builds).toEqual([
      {
        buildId: attribution?.buildId,
        keyId: 'key-individual',
        partnerId: 'partner',
        venue: 'venue_a',
        chainId: 4663,
        sender: AT.sender,
        target: tx.to,
        calldata: tx.data,
        valueRaw: 10n ** 18n,
        createdAtMs: NOW_MS,
        validUntilMs: NOW_MS + 1_200_000,
        tokenIn: AT.native,
        tokenOut: AT.usdg.toLowerCase(),
        amountInRaw: 10n ** 18n,
        minimumOutRaw: 2_477_550_000n,
        notionalUsdMicros: 2_500_000_000n,
      },
    ])
    expect(tx.data).toBe(tx.data.toLowerCase())
  })

  test('is nothing for the legacy shared key, which gets no attribution', async () => {
    world([A])
    const answer = await builderOf().build(requestOf(), keyOf('legacy'))
    expect(answer.attribution).toBe(null)
    expect(builds).toEqual([])
  })

  test('must be saved: otherwise there is no answer', async () => {
    world([A])
    const broken = builderOf(() => Promise.reject(new StoreUnavailableError('down')))
    await expect(broken.build(requestOf(), keyOf('individual'))).rejects.toThrow(StoreUnavailableError)
  })

  test('must be saved within the budget of the build', async () => {
    world([A])
    const hanging = builderOf(() => new Promise(() => {}))
    const building = expect(hanging.build(requestOf(), keyOf('individual'))).rejects.toThrow(
      StoreUnavailableError,
    )
    await settleMicrotasks()
    clock.advanceBy(30_000)
    await building
    expect(clock.nextTimerMs()).toBe(null)
  })
})

test('before the swap of an ERC-20, the simulation allows the settlement contract, from zero', async () => {
  chain.venue(AT.venueA, () => 10n ** 18n)
  let held = 0n
  chain.contract(AT.multicall3, () => `0x${hex(held)}`)
  chain.contract(AT.settlement, () => {
    held += 10n ** 18n
    return '0x'
  })
  await build({ from: 'USDG', to: 'ETH', amount: 2500, preferEngine: 'venue_a' })
  const usdg = AT.usdg.toLowerCase()
  expect(chain.blocks[1]?.map(({ to, data }) => [to, data.slice(0, 10)])).toEqual([
    [AT.multicall3, '0x4d2301cc'],
    [usdg, '0x095ea7b3'],
    [usdg, '0x095ea7b3'],
    [AT.settlement, expect.any(String)],
    [AT.multicall3, '0x4d2301cc'],
  ])
})
