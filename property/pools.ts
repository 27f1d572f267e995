import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { z } from 'zod'
import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import { tokenOf } from '../src/oracles/index.ts'
import { faultKinds } from '../src/simulation/faults/faults.ts'
import { type FaultTransaction, feedFault, venueFault } from '../src/simulation/faults/onChain.ts'
import { venueStatesOf } from '../src/simulation/world/venueStates.ts'
import type { Manifest } from '../src/spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../src/spec/venues.ts'
import type { With } from '../src/targets/environment/environment.ts'
import { NONSENSE_ANSWERS, venueFaultOf } from '../src/venues-mock/faults.ts'
import { moveTransactions, NoPoolToMoveError } from '../src/venues-mock/movers.ts'
import { SHIFT_ONE } from '../src/venues-mock/shift.ts'
import { type VenueStates, venueOf } from '../src/venues-mock/state/venues.ts'

const amountRaw = z.string().regex(/^[1-9]\d{0,38}$/)
const symbol = z.string()
const level = z.tuple([amountRaw, amountRaw])

/**
 * An action of the operator on the pools, in its own transaction, before any request is sent. Amounts are in base units.
 * Impossible actions have no effect: the state is read again afterwards.
 */
const poolStepSchema = z.discriminatedUnion('do', [
  /** Moves a pool's price by `percent` against or in favour of those who sell `sell`. */
  z.strictObject({
    do: z.literal('shift'),
    venue: z.enum(VENUE_IDS),
    sell: symbol,
    buy: symbol,
    against: z.enum(['seller', 'buyer']),
    percent: z.number().positive().max(1e9),
  }),
  /** Replaces the levels of an order book: [price, size] of each, price in 1e-36 quote base units per base unit. */
  z.strictObject({
    do: z.literal('levels'),
    base: symbol,
    quote: symbol,
    asks: z.array(level).max(6),
    bids: z.array(level).max(6),
  }),
  z.strictObject({
    do: z.literal('maker-price'),
    base: symbol,
    quote: symbol,
    price: amountRaw,
    spreadBps: z.int().min(0).max(9_999),
  }),
  /** Adds tokens to a pool of the stable swap. */
  z.strictObject({ do: z.literal('donate'), token: symbol, other: symbol, amountRaw }),
  /** Removes tokens from a pool of the stable swap. */
  z.strictObject({ do: z.literal('withdraw'), token: symbol, other: symbol, amountRaw }),
  z.strictObject({
    do: z.literal('fault'),
    venue: z.enum(VENUE_IDS),
    kind: z.enum(faultKinds('venue', 'pool step')),
    /** `move-on-swap`: the loss in bps; `nonsense-on-quote`: the index of the nonsense answer. */
    value: z.int().min(0).max(9_999).optional(),
  }),
  /** Sets the answer of a USD feed (8 decimals), or makes it revert. */
  z.strictObject({ do: z.literal('mark'), token: symbol, answer: z.union([z.int(), z.literal('none')]) }),
  /** Sets the base fee of the block that is quoted. */
  z.strictObject({ do: z.literal('base-fee'), gwei: z.number().min(0).max(100_000) }),
  /** Lets time pass, in a separate block, so that the maker's prices grow stale. */
  z.strictObject({ do: z.literal('wait'), seconds: z.int().min(1).max(200_000) }),
])

export type PoolStep = z.output<typeof poolStepSchema>
export const poolSetupSchema = z.array(poolStepSchema).max(10)
export type PoolSetup = readonly PoolStep[]

const GAS = numberToHex(6_000_000)

const bookAbi = parseAbi([
  'struct Level { uint256 price; uint256 size; }',
  'function setLevels(address base, address quote, Level[] asks, Level[] bids)',
])
const makerAbi = parseAbi([
  'function setPrice(address base, address quote, uint256 price, uint256 spreadBps)',
])
const stableAbi = parseAbi([
  'function donate(address coin, address other, uint256 amount)',
  'function withdraw(address coin, address other, uint256 amount)',
])

interface Call {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
}

/** Sets up the pools of a fresh world, and returns their resulting states. */
export async function setUpPools(environment: With<'control'>, market: PoolSetup): Promise<VenueStates> {
  const { manifest, control } = environment
  const { rpc } = control.sandbox
  let states: VenueStates | null = null
  for (const step of market) {
    if (step.do === 'wait') {
      const { timestampS } = await control.sandbox.chain.head()
      await control.mineAt(timestampS + step.seconds)
      states = null
      continue
    }
    if (step.do === 'base-fee') continue
    if (step.do === 'shift') states ??= await venueStatesOf(environment.control)
    const calls = callsOf(manifest, states, step)
    for (const call of calls) await rpc.request('eth_sendTransaction', [{ ...call, gas: GAS }])
    if (calls.length === 0) continue
    await control.mine()
    states = null
  }
  const fee = market.findLast((step) => step.do === 'base-fee')
  if (fee !== undefined) {
    const wei = BigInt(Math.round(fee.gwei * 1e9))
    await rpc.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(wei)])
    await control.mine()
    states = null
  }
  return states ?? (await venueStatesOf(environment.control))
}

/** Applies one step to pools in these states, and returns their new states, or the same if it has no effect. */
export async function applyPoolStep(
  environment: With<'control'>,
  states: VenueStates,
  step: PoolStep,
): Promise<VenueStates> {
  const { rpc } = environment.control.sandbox
  const calls = callsOf(environment.manifest, states, step)
  for (const call of calls) await rpc.request('eth_sendTransaction', [{ ...call, gas: GAS }])
  if (calls.length === 0) return states
  await environment.control.mine()
  return venueStatesOf(environment.control)
}

function callsOf(manifest: Manifest, states: VenueStates | null, step: PoolStep): readonly Call[] {
  const at = (name: string): Hex => tokenOf(manifest, name).address
  const operator = ACCOUNTS.operator.address
  const toVenue = (venue: VenueId, data: Hex): readonly Call[] => [
    { from: operator, to: venueOf(manifest, venue).address, data },
  ]
  switch (step.do) {
    case 'shift':
      return states === null ? [] : shiftCalls(manifest, states, step)
    case 'levels': {
      const levels = (side: typeof step.asks) =>
        side.map(([price, size]) => ({ price: BigInt(price), size: BigInt(size) }))
      const args = [at(step.base), at(step.quote), levels(step.asks), levels(step.bids)] as const
      return toVenue('venue_c', encodeFunctionData({ abi: bookAbi, functionName: 'setLevels', args }))
    }
    case 'maker-price': {
      const args = [at(step.base), at(step.quote), BigInt(step.price), BigInt(step.spreadBps)] as const
      return toVenue('venue_f', encodeFunctionData({ abi: makerAbi, functionName: 'setPrice', args }))
    }
    case 'donate':
    case 'withdraw': {
      const args = [at(step.token), at(step.other), BigInt(step.amountRaw)] as const
      return toVenue('venue_d', encodeFunctionData({ abi: stableAbi, functionName: step.do, args }))
    }
    case 'fault':
      return [callOf(venueFault(manifest, step.venue, faultOf(step)))]
    case 'mark': {
      const { feed } = tokenOf(manifest, step.token)
      if (feed === null) return []
      const fault =
        step.answer === 'none'
          ? ({ kind: 'reverting' } as const)
          : ({ kind: 'answer', answer: BigInt(step.answer) } as const)
      return [callOf(feedFault(feed, fault))]
    }
    default:
      return []
  }
}

function shiftCalls(
  manifest: Manifest,
  states: VenueStates,
  step: Extract<PoolStep, { do: 'shift' }>,
): readonly Call[] {
  try {
    return moveTransactions(manifest, states, {
      venue: step.venue,
      tokenIn: tokenOf(manifest, step.sell).address,
      tokenOut: tokenOf(manifest, step.buy).address,
      direction: step.against === 'seller' ? 'against' : 'for',
      // In millionths of a percent, so that no digit of the double is lost.
      shift: (SHIFT_ONE * BigInt(Math.round(step.percent * 1e6))) / 10n ** 8n,
    })
  } catch (error) {
    if (error instanceof NoPoolToMoveError) return []
    throw error
  }
}

function callOf({ by, to, data }: FaultTransaction): Call {
  return { from: ACCOUNTS[by].address, to, data }
}

/** Wraps the index of a nonsense answer, so that any value is valid. */
function faultOf({ kind, value = 0 }: Extract<PoolStep, { do: 'fault' }>) {
  return venueFaultOf(kind, kind === 'nonsense-on-quote' ? value % NONSENSE_ANSWERS.length : value)
}

export function* labelsOfPools(market: PoolSetup): Generator<string> {
  if (market.length === 0) yield 'pools: as deployed'
  for (const step of market) {
    if (step.do === 'shift') yield step.percent > 1_000 ? 'pools: extreme price' : 'pools: moved price'
    if (step.do === 'levels') {
      yield 'pools: other book'
      if (step.asks.length === 0 || step.bids.length === 0) yield 'pools: empty side of a book'
    }
    if (step.do === 'maker-price') yield 'pools: other maker price'
    if (step.do === 'donate' || step.do === 'withdraw') yield 'pools: unbalanced stable swap'
    if (step.do === 'fault') yield `fault: ${step.kind}`
    if (step.do === 'mark') {
      yield step.answer === 'none' ? 'marks: missing' : 'marks: absurd'
    }
    if (step.do === 'base-fee') yield step.gwei >= 500 ? 'gas: absurd' : 'gas: other'
    if (step.do === 'wait' && step.seconds > 86_400) yield 'pools: stale maker price'
  }
}
