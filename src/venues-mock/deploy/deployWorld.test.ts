import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  hexToString,
  multicall3Abi,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS, TRADERS } from '../../fixtures/accounts.ts'
import { CANONICAL, NATIVE } from '../../fixtures/canonical.ts'
import { CONCENTRATED_FEE_TIERS, SINGLETON_FEE_TIERS } from '../../fixtures/pools.ts'
import { type AnvilNode, type AnvilOptions, startAnvil } from '../../sandbox/anvil.ts'
import { createRpc } from '../../sandbox/rpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import { mockTokenAbi, mockTokenRuntime } from '../generated/MockToken.ts'
import { oracleMakerVenueAbi } from '../generated/OracleMakerVenue.ts'
import { orderBookVenueAbi } from '../generated/OrderBookVenue.ts'
import { modelQuote, tradedToken } from '../models/venue.ts'
import { readVenueStates } from '../state/venues.ts'
import { pathRoute, poolRoute, tierRoute } from '../testing/trades.ts'
import type { DeployClient } from './client.ts'
import { deployWorld } from './deployWorld.ts'
import { DeploymentError } from './errors.ts'

const nodes: AnvilNode[] = []

async function boot(options: AnvilOptions = {}) {
  const node = await startAnvil(options)
  nodes.push(node)
  const rpc = createRpc({ url: node.url, ended: node.ended })
  await rpc.request('anvil_setBlockTimestampInterval', [1])
  return { ...rpc, mine: () => rpc.request('evm_mine') }
}

const head = async (client: DeployClient) =>
  (await client.request('eth_getBlockByNumber', ['latest', false])) as {
    readonly number: Hex
    readonly hash: Hex
    readonly stateRoot: Hex
    readonly baseFeePerGas: Hex
  }

const call = async (client: DeployClient, to: Hex, data: Hex) =>
  (await client.request('eth_call', [{ to, data }, 'latest'])) as Hex

const balanceOf = async (client: DeployClient, token: Hex, owner: Hex) =>
  hexToBigInt(
    await call(
      client,
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    ),
  )

const tokensOf = (manifest: Manifest) => [...manifest.registry, ...manifest.otherTokens]
const addressOf = (manifest: Manifest, symbol: string) =>
  tokensOf(manifest).find((token) => token.symbol === symbol)?.address ?? NATIVE

/** Returns an amount worth between 35 and 60,000 USD: far from both the smallest unit of any token and the ends of any pool. */
function tradableAmount({
  symbol,
  decimals,
}: {
  readonly symbol: string
  readonly decimals: number
}): bigint {
  if (symbol === 'BIG') return 10n ** 30n
  const isDear = ['ETH', 'WETH', 'LSETH', 'WBTC', 'HOOD'].includes(symbol)
  return (isDear ? 1n : 1_000n) * 10n ** BigInt(decimals)
}

/** The venues that must price each pair, in either direction; ETH covers WETH too. No other pair is priced. */
const PRICED: Readonly<Record<string, string>> = {
  'DUSD/USDG': 'abcdef',
  'ETH/USDG': 'abcef',
  'ETH/LSETH': 'ad',
  'ETH/WBTC': 'a',
  'HOOD/USDG': 'f',
  'ETH/EIGHTEEN': 'abc',
  'ETH/SIX': 'ae',
  'ETH/ZERO': 'a',
  'ETH/BIG': 'a',
  'ETH/TAXED': 'a',
  'ETH/MUTE': 'a',
  'ETH/FALSY': 'a',
  'ETH/BLOCKER': 'a',
  'ETH/ONLY_B': 'b',
  'ETH/ONLY_C': 'c',
  'USDG/ONLY_D': 'd',
  'ETH/ONLY_E': 'e',
  'ONLY_F/USDG': 'f',
}
/** venue_a routes through WETH between any two of these. */
const WETH_PAIRED = [
  'USDG',
  'LSETH',
  'WBTC',
  'SIX',
  'EIGHTEEN',
  'ZERO',
  'BIG',
  'TAXED',
  'MUTE',
  'FALSY',
  'BLOCKER',
]

function expectedVenues(from: string, to: string): VenueId[] {
  const [one, other] = [from, to].map((symbol) => (symbol === 'WETH' ? 'ETH' : symbol))
  const letters = PRICED[`${one}/${other}`] ?? PRICED[`${other}/${one}`] ?? ''
  const inTwoHops = WETH_PAIRED.includes(from) && WETH_PAIRED.includes(to)
  return VENUE_IDS.filter((id) => letters.includes(id.slice(-1)) || (id === 'venue_a' && inTwoHops))
}

/** Returns the venues that should price each pair, keyed `FROM to TO`. */
function meantVenues(manifest: Manifest, symbols?: readonly string[]): Record<string, VenueId[]> {
  const pairs = pairsOf(manifest, symbols).map(({ name, from, to }) => [
    name,
    expectedVenues(from.symbol, to.symbol),
  ])
  return Object.fromEntries(pairs.filter(([, venues]) => venues !== undefined && venues.length > 0))
}

/** Returns the venues that actually quote each pair by some route on the chain. */
async function quotingVenues(
  client: DeployClient,
  manifest: Manifest,
  symbols?: readonly string[],
): Promise<Record<string, VenueId[]>> {
  const quoting: Record<string, VenueId[]> = {}
  for (const { name, from, to } of pairsOf(manifest, symbols)) {
    const asked = manifest.venues.flatMap(({ id, address }) =>
      quoteCalls(manifest, id, from.address, to.address, tradableAmount(from)).map((callData) => ({
        id,
        target: address,
        allowFailure: true,
        callData,
      })),
    )
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [asked] })
    const answers = decodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      data: await call(client, manifest.multicall3, data),
    })
    const answering = asked.filter((_, index) => {
      const answer = answers[index]
      return answer?.success && BigInt(answer.returnData) > 0n
    })
    const venues = VENUE_IDS.filter((id) => answering.some((answer) => answer.id === id))
    if (venues.length > 0) quoting[name] = venues
  }
  return quoting
}

/** Returns the calls that request a quote of a pair from one venue, by every route it may have. */
function quoteCalls(manifest: Manifest, id: VenueId, from: Hex, to: Hex, amountIn: bigint): Hex[] {
  const [tokenIn, tokenOut] = [tradedToken(manifest, id, from), tradedToken(manifest, id, to)]
  if (id === 'venue_c' || id === 'venue_d') {
    const args = [tokenIn, tokenOut, amountIn] as const
    return [encodeFunctionData({ abi: orderBookVenueAbi, functionName: 'quote', args })]
  }
  const routes = {
    venue_a: [pathRoute(tokenIn, tokenOut), pathRoute(tokenIn, manifest.weth, tokenOut)],
    venue_b: CONCENTRATED_FEE_TIERS.map(({ fee }) => tierRoute(fee)),
    venue_e: SINGLETON_FEE_TIERS.map(({ fee, tickSpacing }) => poolRoute(fee, tickSpacing)),
    venue_f: ['0x' as const],
  }[id]
  return routes.map((route) =>
    encodeFunctionData({
      abi: oracleMakerVenueAbi,
      functionName: 'quoteExactIn',
      args: [tokenIn, tokenOut, amountIn, route],
    }),
  )
}

/** @param symbols default: all tokens. */
function pairsOf(manifest: Manifest, symbols?: readonly string[]) {
  const tokens = tokensOf(manifest).filter(({ symbol }) => symbols?.includes(symbol) ?? true)
  return tokens.flatMap((from) =>
    tokens.flatMap((to) => (from === to ? [] : [{ name: `${from.symbol} to ${to.symbol}`, from, to }])),
  )
}

let client: DeployClient
let url: string
let manifest: Manifest

beforeAll(async () => {
  const booted = await boot()
  client = booted
  url = booted.url
  manifest = await deployWorld(client, { rpcUrl: url })
})
afterAll(() => Promise.all(nodes.map((node) => node.stop())))

describe('deployWorld', () => {
  it('builds the same chain each time, to the hash', async () => {
    const again = await boot()
    const manifestAgain = await deployWorld(again, { rpcUrl: url })
    expect(await head(again)).toEqual(await head(client))
    expect(manifestAgain).toEqual(manifest)
  })

  it('needs two blocks and leaves the base fee where it was', async () => {
    expect(await head(client)).toMatchObject({ number: '0x2', baseFeePerGas: '0x7' })
  })

  it('places WETH, USDG, Multicall3 and Permit2 where the real chain has them', async () => {
    const about = async (token: Hex, functionName: 'name' | 'symbol' | 'decimals') =>
      call(client, token, encodeFunctionData({ abi: mockTokenAbi, functionName }))
    const text = async (token: Hex, functionName: 'name' | 'symbol') => {
      const [, length, body] = (await about(token, functionName)).slice(2).match(/.{64}/g) ?? []
      return hexToString(`0x${body?.slice(0, 2 * Number(`0x${length}`))}`)
    }
    expect(await text(CANONICAL.weth, 'name')).toBe('Wrapped Ether')
    expect(await text(CANONICAL.weth, 'symbol')).toBe('WETH')
    expect(Number(await about(CANONICAL.weth, 'decimals'))).toBe(18)
    expect(await text(CANONICAL.usdg, 'symbol')).toBe('USDG')
    expect(Number(await about(CANONICAL.usdg, 'decimals'))).toBe(6)
    for (const address of [CANONICAL.multicall3, CANONICAL.permit2]) {
      expect(await client.request('eth_getCode', [address, 'latest'])).not.toBe('0x')
    }
  })

  it('gives every trader every token, and the unfunded account nothing', async () => {
    for (const { symbol, address } of tokensOf(manifest)) {
      if (symbol === 'ETH') continue
      for (const trader of TRADERS) {
        expect(await balanceOf(client, address, trader.address), symbol).toBeGreaterThan(0n)
      }
      expect(await balanceOf(client, address, ACCOUNTS.unfunded.address)).toBe(0n)
    }
    expect(await client.request('eth_getBalance', [ACCOUNTS.unfunded.address, 'latest'])).toBe('0x0')
  })

  it('answers a USD mark from every feed that the manifest names', async () => {
    const abi = parseAbi([
      'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
    ])
    const marks = await Promise.all(
      manifest.registry.map(async ({ symbol, feed }) => {
        if (feed === null) return [symbol, null]
        const answer = await call(client, feed, encodeFunctionData({ abi }))
        return [symbol, Number(answer.slice(66, 130).replace(/^/, '0x')) / 1e8]
      }),
    )
    expect(Object.fromEntries(marks)).toEqual({
      ETH: 2500,
      WETH: 2500,
      USDG: 1,
      DUSD: 1,
      LSETH: 2625,
      WBTC: 60000,
      HOOD: 35,
      GOLD: 4000,
      VOID: null,
    })
  })

  it('prices exactly the pairs it is meant to, on exactly the venues', async () => {
    expect(await quotingVenues(client, manifest)).toEqual(meantVenues(manifest))
  })

  it('trades 1 ETH within 50 bps of the mark on every venue, and 1,000 ETH far from it or not at all', async () => {
    const states = await readVenueStates(client.request, manifest)
    for (const id of ['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f'] as const) {
      const sell = (ether: bigint) =>
        modelQuote(manifest, states, id, NATIVE, CANONICAL.usdg, ether * 10n ** 18n)
      const one = sell(1n)
      expect('amountOut' in one && one.amountOut, id).toBeGreaterThan(2_487_500_000n)
      const thousand = sell(1_000n)
      expect('amountOut' in thousand ? thousand.amountOut : 0n, id).toBeLessThan(2_250_000_000_000n)
    }
  })

  it('works on a fork of another world, whose canonical contracts it takes as they are', async () => {
    const fork = await boot({ forkUrl: url, forkBlockNumber: 2 })
    const forked = await deployWorld(fork, { rpcUrl: url })
    expect(forked.weth).toBe(manifest.weth)
    expect(addressOf(forked, 'USDG')).toBe(addressOf(manifest, 'USDG'))
    expect(addressOf(forked, 'DUSD')).not.toBe(addressOf(manifest, 'DUSD'))
    expect(forked.settlement.address).not.toBe(manifest.settlement.address)
    const onEveryVenue = ['ETH', 'USDG', 'DUSD', 'LSETH']
    expect(await quotingVenues(fork, forked, onEveryVenue)).toEqual(meantVenues(forked, onEveryVenue))
  })

  it('works where USDG has another owner, as on the real chain, and takes off code that strangers put on accounts', async () => {
    const foreign = await boot()
    await foreign.request('anvil_setCode', [CANONICAL.usdg, mockTokenRuntime])
    const data = encodeFunctionData({
      abi: mockTokenAbi,
      functionName: 'initialize',
      args: ['Global Dollar', 'USDG', 6, ACCOUNTS.bob.address],
    })
    await foreign.request('eth_sendTransaction', [{ from: ACCOUNTS.bob.address, to: CANONICAL.usdg, data }])
    await foreign.mine()
    const { address } = ACCOUNTS.alice
    // EIP-7702: 0xef0100 and the delegate.
    const delegation = `0xef0100${CANONICAL.multicall3.slice(2)}`
    await foreign.request('anvil_setCode', [address, delegation])
    await deployWorld(foreign, { rpcUrl: url })
    expect(await balanceOf(foreign, CANONICAL.usdg, address)).toBe(5_000_000_000_000n)
    expect(await foreign.request('eth_getCode', [address, 'latest'])).toBe('0x')
  })

  it('error: DeploymentError, naming the first step that failed', async () => {
    const broken = await boot()
    // A WETH that reverts every call.
    await broken.request('anvil_setCode', [CANONICAL.weth, '0x5f5ffd'])
    const failure = deployWorld(broken, { rpcUrl: url })
    await expect(failure).rejects.toThrow(/^deployment: wrap the treasury: /)
  })

  it('error: DeploymentError, on another chain', async () => {
    const elsewhere = {
      ...client,
      batch: async (calls: Parameters<DeployClient['batch']>[0]) => calls.map(() => '0x1'),
    }
    await expect(deployWorld(elsewhere, { rpcUrl: url })).rejects.toThrow(DeploymentError)
  })
})
