import { withDeadline } from '../chain/deadline.ts'
import {
  type CallOutcome,
  readGasPrice,
  readSimulation,
  type SimulatedCall,
  simulation,
} from '../chain/simulate.ts'
import { readFeedAnswer, readUint } from '../chain/words.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { Address } from '../requests.ts'
import { NATIVE } from '../tokens/token.ts'
import { LATEST_ROUND_CALL, TOTAL_SUPPLY_CALL } from '../venues/abi.ts'
import type { Venue, Way } from '../venues/venue.ts'
import { WEI_PER_ETH } from './gasCost.ts'
import type { Plan, SidePlan, SpotPlan } from './plan.ts'
import { EXACT_TRANSFER, readTransferProbe, type TransferFact, transferProbe } from './transferProbe.ts'

/** One venue's reply: its best path and output, or the reason why it has none. */
export type VenueAnswer =
  | { readonly venue: Venue; readonly way: Way; readonly amountOutRaw: bigint }
  | { readonly venue: Venue; readonly refusal: string }

/** Market data read from the chain in the same block. */
export interface MarketFacts {
  readonly gasPriceWei: bigint
  /** USD per whole token with 8 decimals; null: no feed, or no valid value. */
  readonly feeds: {
    readonly eth: bigint | null
    readonly tokenIn: bigint | null
    readonly tokenOut: bigint | null
  }
  /** Output in each token for one whole WETH; null when not requested. */
  readonly spotIn: bigint | null
  readonly spotOut: bigint | null
  /** Ratio of received to sent in a transfer of the token; null: unknown. */
  readonly transferIn: TransferFact | null
  readonly transferOut: TransferFact | null
}

export interface Answers {
  readonly venues: readonly VenueAnswer[]
  readonly facts: MarketFacts
}

const READ_GAS = 200_000n
/** Upper bound for native coins, which have no total supply: V4 and Permit2 hold less. */
const MOST_NATIVE_RAW = 2n ** 128n

/**
 * Queries the venues of a plan, and reads all data needed to judge their replies, in one round trip and one block.
 *
 * @param amountRaw the amount the venues would swap.
 * @throws {ChainUnavailableError} no reply in time, or none that can be parsed.
 */
export async function ask(
  deps: ServiceDeps,
  plan: Plan,
  amountRaw: bigint,
  timeoutMs: number,
): Promise<Answers> {
  const calls: SimulatedCall[] = []
  const add = (...added: readonly SimulatedCall[]) => {
    const start = calls.length
    calls.push(...added)
    return (outcomes: readonly CallOutcome[]) => outcomes.slice(start, start + added.length)
  }
  const gas = deps.policy.venueGasLimit
  const readVenues = plan.venues.map(({ venue, ways }) => {
    const read = add(...ways.map((way) => ({ to: venue.address, data: way.quoteData(amountRaw), gas })))
    return { venue, ways, read }
  })
  const readSupply = addSupply(add, plan.tokenOut)
  const readEth = addFeed(add, plan.ethFeed)
  const readIn = addFeed(add, plan.tokenIn.token.feed)
  const readOut = addFeed(add, plan.tokenOut.token.feed)
  const readSpotIn = addSpot(add, plan.spotIn, gas)
  const readSpotOut = addSpot(add, plan.spotOut, gas)
  // The probes come last because they move tokens, which later calls would see.
  const readTransferIn = addProbe(add, plan.tokenIn, amountRaw)
  const readTransferOut = addProbe(add, plan.tokenOut, probeOutRaw(plan.tokenOut.token.decimals))

  const [simulated, gasPrice] = await withDeadline(
    deps.clock,
    timeoutMs,
    deps.chain.send([simulation(calls), { method: 'eth_gasPrice', params: [] }], { timeoutMs }),
    () => new ChainUnavailableError(`no answer within ${timeoutMs} ms`),
  )
  const outcomes = readSimulation(simulated, calls.length)
  if (outcomes === 'unfunded')
    throw new ChainUnavailableError('the node requires funds for calls without value')
  const mostRaw = readSupply(outcomes)
  return {
    venues: readVenues.map(({ venue, ways, read }) => bestAnswer(venue, ways, read(outcomes), mostRaw)),
    facts: {
      gasPriceWei: readGasPrice(gasPrice),
      feeds: { eth: readEth(outcomes), tokenIn: readIn(outcomes), tokenOut: readOut(outcomes) },
      spotIn: readSpotIn(outcomes),
      spotOut: readSpotOut(outcomes),
      transferIn: readTransferIn(outcomes),
      transferOut: readTransferOut(outcomes),
    },
  }
}

type Outcomes = readonly CallOutcome[]
type Add = (...calls: readonly SimulatedCall[]) => (outcomes: Outcomes) => Outcomes

/** Returns the best of a venue's replies. Zero, more than the total supply, and data that is not a uint256 do not count. */
function bestAnswer(venue: Venue, ways: readonly Way[], outcomes: Outcomes, mostRaw: bigint): VenueAnswer {
  let best: { way: Way; amountOutRaw: bigint } | null = null
  let refusal = 'reverted'
  for (const [index, way] of ways.entries()) {
    const outcome = outcomes[index]
    if (!outcome?.ok) continue
    const amountOutRaw = readUint(outcome.data)
    if (amountOutRaw === null || amountOutRaw === 0n || amountOutRaw > mostRaw)
      refusal = 'returned an impossible amount'
    else if (best === null || amountOutRaw > best.amountOutRaw) best = { way, amountOutRaw }
  }
  return best === null ? { venue, refusal } : { venue, ...best }
}

function addSupply(add: Add, { token }: SidePlan): (outcomes: Outcomes) => bigint {
  if (token.address === NATIVE) return () => MOST_NATIVE_RAW
  const read = add({ to: token.address, data: TOTAL_SUPPLY_CALL, gas: READ_GAS })
  return (outcomes) => readOne(read(outcomes), readUint) ?? 0n
}

function addFeed(add: Add, feed: Address | null): (outcomes: Outcomes) => bigint | null {
  if (feed === null) return () => null
  const read = add({ to: feed, data: LATEST_ROUND_CALL, gas: READ_GAS })
  return (outcomes) => readOne(read(outcomes), readFeedAnswer)
}

function addSpot(add: Add, spot: SpotPlan | null, gas: bigint): (outcomes: Outcomes) => bigint | null {
  if (spot === null) return () => null
  const read = add({ to: spot.venue.address, data: spot.way.quoteData(WEI_PER_ETH), gas })
  return (outcomes) => readOne(read(outcomes), readUint) || null
}

function addProbe(add: Add, side: SidePlan, wantedRaw: bigint): (outcomes: Outcomes) => TransferFact | null {
  if (side.probeHolder === null) return () => EXACT_TRANSFER
  const read = add(...transferProbe(side.token.address, side.probeHolder, wantedRaw))
  return (outcomes) => readTransferProbe(read(outcomes), wantedRaw)
}

/** Returns the amount of an output token to send in the probe: a whole token, since the venue's output is not known yet. */
function probeOutRaw(decimals: number): bigint {
  return 10n ** BigInt(Math.max(decimals, 4))
}

function readOne(outcomes: Outcomes, read: (data: string) => bigint | null): bigint | null {
  const [outcome] = outcomes
  return outcome?.ok ? read(outcome.data) : null
}
