import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import { useSandbox } from '../../sandbox/testing/useSandbox.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { ModelQuote } from '../models/result.ts'
import { modelQuote, modelRoutes } from '../models/venue.ts'
import { readVenueStates, type VenueStates, venueOf } from '../state/venues.ts'
import { chainQuotes } from '../testing/chainQuotes.ts'
import { venueRoutes } from '../testing/routes.ts'

const ONE = 10n ** 18n
const operatorAbi = parseAbi([
  'function setFault(uint8 fault, uint256 value)',
  'function setMaxAge(uint256 maxAge)',
])

const sandbox = useSandbox()
let rpc: Rpc
let manifest: Manifest
let initial: VenueStates

const request = (method: string, params: readonly unknown[]) => rpc.request(method, params)

beforeAll(async () => {
  ;({ rpc, manifest } = sandbox)
  initial = await readVenueStates(request, manifest)
})

beforeEach(() => sandbox.reset())

function token(symbol: string): Address {
  const found = [...manifest.registry, ...manifest.otherTokens].find((each) => each.symbol === symbol)
  if (found === undefined) throw new Error(`no token ${symbol}`)
  return found.address
}

function quoteIn(
  states: VenueStates,
  venueId: VenueId,
  from: string,
  to: string,
  amountIn: bigint,
): ModelQuote {
  return modelQuote(manifest, states, venueId, token(from), token(to), amountIn)
}

/** Returns the venue's own quote for its best route between the coins it trades, or null. */
async function bestOnChain(
  states: VenueStates,
  venueId: VenueId,
  from: string,
  to: string,
  amountIn: bigint,
): Promise<bigint | null> {
  const routes = venueRoutes(manifest, states, venueId).filter(
    ({ tokenIn, tokenOut }) => tokenIn === token(from) && tokenOut === token(to),
  )
  const questions = routes.map((route) => route.ask(amountIn))
  const { multicall3 } = manifest
  const reader = { request, multicall3, blockNumber: states.blockNumber }
  const answers = await chainQuotes(reader, questions)
  const prices = answers.filter((answer) => answer !== null).sort((one, other) => (one < other ? 1 : -1))
  return prices[0] ?? null
}

async function operate(venueId: VenueId, data: Hex): Promise<void> {
  const transaction = {
    from: ACCOUNTS.operator.address,
    to: venueOf(manifest, venueId).address,
    data,
    gas: '0x100000',
  }
  const hash = await rpc.request<Hex>('eth_sendTransaction', [transaction])
  await rpc.request('evm_mine')
  const receipt = await rpc.request<{ status: Hex }>('eth_getTransactionReceipt', [hash])
  expect(receipt.status).toBe('0x1')
}

describe('modelQuote', () => {
  it.each([
    ['venue_a', 'WETH', 'USDG', ONE],
    ['venue_a', 'WBTC', 'USDG', 10n ** 8n],
    ['venue_a', 'USDG', 'DUSD', 10n ** 9n],
    ['venue_b', 'WETH', 'USDG', ONE],
    ['venue_b', 'WETH', 'USDG', 300n * ONE],
    ['venue_b', 'USDG', 'WETH', 10n ** 10n],
    ['venue_c', 'WETH', 'USDG', ONE],
    ['venue_d', 'WETH', 'LSETH', ONE],
    ['venue_e', 'ETH', 'USDG', ONE],
    ['venue_e', 'ETH', 'USDG', 300n * ONE],
    ['venue_f', 'USDG', 'HOOD', 10n ** 9n],
  ] as const)('gives the best route of %s from %s to %s for %i', async (venueId, from, to, amountIn) => {
    const best = await bestOnChain(initial, venueId, from, to, amountIn)
    expect(best).not.toBeNull()
    expect(quoteIn(initial, venueId, from, to, amountIn)).toEqual({ amountOut: best })
  })

  it('finds the better of two fee tiers by amount, and not always the same', () => {
    const [low, medium] = modelRoutes(manifest, initial, 'venue_b', token('WETH'), token('USDG'))
    if (low === undefined || medium === undefined) throw new Error('two fee tiers expected')
    const outputs = [ONE, 300n * ONE].map((amountIn) =>
      [low, medium].map((route) => {
        const quote = route.quoteExactIn(amountIn)
        return 'amountOut' in quote ? quote.amountOut : 0n
      }),
    )
    const winners = outputs.map(([one = 0n, other = 0n]) => (one > other ? 'low' : 'medium'))
    expect(new Set(winners).size).toBe(2)
  })

  it.each(VENUE_IDS)('prices USDG for DUSD on %s, which every venue trades', (venueId) => {
    expect(quoteIn(initial, venueId, 'USDG', 'DUSD', 10n ** 8n)).toHaveProperty('amountOut')
  })

  it.each(VENUE_IDS)('takes the native coin and WETH for each other on %s', (venueId) => {
    const to = venueId === 'venue_d' ? 'LSETH' : 'USDG'
    const native = quoteIn(initial, venueId, 'ETH', to, ONE)
    expect(native).toHaveProperty('amountOut')
    expect(quoteIn(initial, venueId, 'WETH', to, ONE)).toEqual(native)
  })

  it.each(VENUE_IDS)('has no pool on %s for a pair that no pool trades', (venueId) => {
    expect(quoteIn(initial, venueId, 'USDG', 'VOID', ONE)).toEqual({ unpriced: 'no-pool' })
    expect(quoteIn(initial, venueId, 'ETH', 'WETH', ONE)).toEqual({ unpriced: 'no-pool' })
    expect(quoteIn(initial, venueId, 'USDG', 'USDG', ONE)).toEqual({ unpriced: 'no-pool' })
  })

  it('has no price where every route would pay nothing', () => {
    expect(quoteIn(initial, 'venue_b', 'WETH', 'USDG', 1n)).toEqual({ unpriced: 'zero-output' })
    expect(quoteIn(initial, 'venue_c', 'WETH', 'USDG', 1n)).toEqual({ unpriced: 'zero-output' })
  })

  it.each([
    ['None', 0, 0n, true],
    ['NoLiquidity', 1, 0n, false],
    ['RevertOnQuote', 2, 0n, false],
    ['RevertOnSwap', 3, 0n, true],
    ['MoveOnSwap', 4, 100n, true],
    ['BurnGasOnQuote', 5, 0n, false],
    ['BurnGasOnSwap', 6, 0n, true],
    ['NonsenseOnQuote', 7, 3n, false],
  ] as const)('knows what the fault %s does to quotes', async (_name, fault, value, quotes) => {
    const data = encodeFunctionData({ abi: operatorAbi, functionName: 'setFault', args: [fault, value] })
    for (const venueId of VENUE_IDS) await operate(venueId, data)
    const states = await readVenueStates(request, manifest)
    for (const venueId of VENUE_IDS) {
      const honest = quoteIn(initial, venueId, 'USDG', 'DUSD', 10n ** 8n)
      const amountOut = 'amountOut' in honest ? honest.amountOut : 0n
      expect(quoteIn(states, venueId, 'USDG', 'DUSD', 10n ** 8n)).toEqual(
        quotes ? { amountOut } : { unpriced: 'faulty' },
      )
      const answered = await bestOnChain(states, venueId, 'USDG', 'DUSD', 10n ** 8n)
      // Nonsense answer 3 is a zero.
      expect(answered ?? 0n).toBe(quotes ? amountOut : 0n)
    }
  })

  it('prices by the maker until its price is a second too old', async () => {
    await operate(
      'venue_f',
      encodeFunctionData({ abi: operatorAbi, functionName: 'setMaxAge', args: [1000n] }),
    )
    const last = Number(initial.venue_f[0]?.state.updatedAtS ?? 0n) + 1000
    for (const [timestampS, isPriced] of [
      [last, true],
      [last + 1, false],
    ] as const) {
      await rpc.request('evm_setNextBlockTimestamp', [timestampS])
      await rpc.request('evm_mine')
      const states = await readVenueStates(request, manifest)
      const quote = quoteIn(states, 'venue_f', 'WETH', 'USDG', ONE)
      expect(quote).toEqual(isPriced ? { amountOut: 2_497_000_000n } : { unpriced: 'stale-price' })
      expect(await bestOnChain(states, 'venue_f', 'WETH', 'USDG', ONE)).toBe(isPriced ? 2_497_000_000n : null)
    }
  })
})

describe('readVenueStates', () => {
  it('reads an earlier block as it was', async () => {
    await operate(
      'venue_a',
      encodeFunctionData({ abi: operatorAbi, functionName: 'setFault', args: [1, 0n] }),
    )
    const after = await readVenueStates(request, manifest)
    expect(after.faults.venue_a).toBe(1)
    expect(await readVenueStates(request, manifest, initial.blockNumber)).toEqual(initial)
  })

  it('refuses a venue that is not there', async () => {
    const venues = manifest.venues.map((venue) =>
      venue.id === 'venue_c' ? { ...venue, address: zeroAddress } : venue,
    )
    await expect(readVenueStates(request, { ...manifest, venues })).rejects.toMatchObject({
      name: 'PoolStateError',
      contract: zeroAddress,
    })
  })
})
