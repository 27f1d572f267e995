import { amountToBaseUnits } from '../amounts/baseUnits.ts'
import { feeRawOf } from '../amounts/bps.ts'
import type { Budget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import type { SwapRequest } from '../requests.ts'
import { createTokenResolver, type TokenPair } from '../tokens/resolve.ts'
import type { Token } from '../tokens/token.ts'
import { createVenues } from '../venues/venues.ts'
import type { Answers, MarketFacts } from './ask.ts'
import { fanOut } from './fanOut.ts'
import { type GasPrices, gasCostRaw } from './gasCost.ts'
import { callerMark, feedMark, type Marked, type UsdMark } from './marks.ts'
import { createPlanner, onlyVenue, type Plan } from './plan.ts'
import { type Candidate, rank } from './ranking.ts'
import { arrivesOf } from './transferProbe.ts'

/** A priced request: the venues' quotes and the market data of one block. */
export interface Priced extends TokenPair {
  readonly request: SwapRequest
  readonly amountInRaw: bigint
  readonly feeRaw: bigint
  /** The amount that the venue swaps: the input minus the fee. */
  readonly swappedRaw: bigint
  /** Winner first. */
  readonly ranked: readonly Candidate[]
  /** The reason why each other venue was refused. */
  readonly refusals: Readonly<Record<string, string>>
  readonly feedIn: Marked | null
  readonly feedOut: Marked | null
  /** The marks used for the price impact: the caller's, otherwise the chain's. */
  readonly markIn: Marked | null
  readonly markOut: Marked | null
}

export type Pricer = (request: SwapRequest, budget: Budget) => Promise<Priced>

/** Prices requests against the live venues. */
export function createPricer(deps: ServiceDeps): Pricer {
  const resolve = createTokenResolver(deps.manifest)
  const planOf = createPlanner(deps.manifest, createVenues(deps.manifest))

  /**
   * @throws {InvalidRequestError} a token or the amount breaks a rule of §4.1.
   * @throws {ChainUnavailableError} the chain cannot be read.
   */
  return async (request, budget) => {
    const pair = resolve(request)
    const amountInRaw = amountToBaseUnits(request.amount, pair.tokenIn.decimals)
    const feeRaw = feeRawOf(amountInRaw, request.partnerFeeBps)
    const swap = { request, ...pair, amountInRaw, feeRaw, swappedRaw: amountInRaw - feeRaw }
    if (pair.wrapOnly)
      return { ...swap, ranked: [], refusals: {}, feedIn: null, feedOut: null, markIn: null, markOut: null }

    const plan = onlyVenue(planOf(pair), request.preferEngine)
    const answers = await askArriving(deps, plan, swap.swappedRaw, budget)
    const { facts } = answers
    const feedIn = marked(pair.tokenIn, feedMark(facts.feeds.tokenIn))
    const feedOut = marked(pair.tokenOut, feedMark(facts.feeds.tokenOut))
    const callerOut = marked(pair.tokenOut, callerMark(request.toPriceUsd))
    const prices: GasPrices = {
      inIsCoin: plan.tokenIn.isCoin,
      outIsCoin: plan.tokenOut.isCoin,
      swappedRaw: swap.swappedRaw,
      eth: marked({ decimals: 18 }, feedMark(facts.feeds.eth)),
      tokenIn: feedIn,
      tokenOut: feedOut,
      spotIn: facts.spotIn,
      spotOut: facts.spotOut,
      callerOut,
    }
    return {
      ...swap,
      ...judge(answers, prices),
      feedIn,
      feedOut,
      markIn: marked(pair.tokenIn, callerMark(request.fromPriceUsd)) ?? feedIn,
      markOut: callerOut ?? feedOut,
    }
  }
}

/**
 * Queries the venues with the amount that arrives. The first round trip detects a token that takes a fee on transfer; only
 * such a token needs a second one.
 */
async function askArriving(
  deps: ServiceDeps,
  plan: Plan,
  swappedRaw: bigint,
  budget: Budget,
): Promise<Answers> {
  const answers = await fanOut(deps, plan, swappedRaw, budget)
  const { transferIn } = answers.facts
  const arrivingRaw = transferIn === null ? 0n : arrivesOf(swappedRaw, transferIn)
  if (arrivingRaw === swappedRaw || arrivingRaw === 0n) return answers
  const again = await fanOut(deps, plan, arrivingRaw, budget)
  return { ...again, facts: { ...again.facts, transferIn } }
}

/** Splits the replies into ranked candidates and refusals. */
function judge(answers: Answers, prices: GasPrices): Pick<Priced, 'ranked' | 'refusals'> {
  const candidates: Candidate[] = []
  const refusals: Record<string, string> = {}
  for (const answer of answers.venues) {
    const { venue } = answer
    const made = 'refusal' in answer ? answer.refusal : candidateOf(answer, answers.facts, prices)
    if (typeof made === 'string') refusals[venue.id] = made
    else candidates.push(made)
  }
  return { ranked: rank(candidates), refusals }
}

function candidateOf(
  { venue, way, amountOutRaw }: Pick<Candidate, 'venue' | 'way' | 'amountOutRaw'>,
  { gasPriceWei, transferIn, transferOut }: MarketFacts,
  prices: GasPrices,
): Candidate | string {
  if (transferIn === null || transferOut === null)
    return 'the amount that a transfer of the token delivers is unknown'
  const arrivingRaw = arrivesOf(amountOutRaw, transferOut)
  if (arrivingRaw === 0n) return 'nothing would arrive'
  const gasWei = way.gasUnits * gasPriceWei
  const cost = gasCostRaw(gasWei, arrivingRaw, prices)
  if (cost === null) return 'the gas cost has no price in the output token'
  return { venue, way, amountOutRaw: arrivingRaw, gasWei, gasCostRaw: cost }
}

function marked({ decimals }: Pick<Token, 'decimals'>, mark: UsdMark | null): Marked | null {
  return mark && { decimals, mark }
}
