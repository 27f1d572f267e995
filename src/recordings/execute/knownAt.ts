import type { Hex } from 'viem'
import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { ChainPoint } from '../../evm/chainPoint.ts'
import { poolsAt, poolsOfPair } from '../../evm/pools.ts'
import { Trial } from '../../evm/trial.ts'
import { agrees, quotesOfRoutes, type RouteQuote } from '../../evm/venueQuotes.ts'
import {
  acceptedMarks,
  GAS_FACTOR,
  type KnownPools,
  type RequestedSwap,
  UNKNOWN_POOLS,
} from '../../oracles/index.ts'
import { addressOf } from '../../simulation/steps/userDuties.ts'
import {
  absurdVenues,
  inputsOf,
  isModelled,
  paysWhatItQuotes,
  venueOutputs,
} from '../../venues-mock/models/outputs.ts'
import type { VenueStates } from '../../venues-mock/state/venues.ts'
import type { Difference } from '../format/differences.ts'
import type { DraftOf } from '../format/drafts.ts'
import type { KnownOutside } from '../verify/judgeRecording.ts'
import { answeredBuild } from './answeredRoute.ts'
import { carryOut } from './carryOut.ts'
import { changesIn, holdingsOf, type Ledger, observedOf } from './ledger.ts'
import { type Feeds, feedsOf, marksOf, settlementsAt } from './settlements.ts'

/**
 * The reference estimates gas from measurements of swaps with a partner fee in untouched pools. A swap without a fee, in a pool
 * whose slots were written before, uses as little as 1 / 1.6 of that.
 */
const GAS_FACTOR_OF_REFERENCE = 2
/** The usual heartbeat of a price feed; a careful service may refuse older prices. */
const FRESH_FEED_S = 3_600
/** More than the gas of any swap costs. */
const GAS_MONEY_WEI = 10n ** 17n

export interface Asked {
  readonly world: Pick<BaseWorld, 'manifest' | 'context'>
  readonly endpoint: 'quote' | 'build'
  readonly request: RequestedSwap
  readonly http: DraftOf<'http'>
  /** True if the service is the reference, whose choices are known where the specification is silent. */
  readonly isReference: boolean
  /** `losing`: replies for the request were lost. */
  readonly faults: 'none' | 'losing'
}

/** The findings of executions at one block about a request. */
export interface KnownAt {
  readonly outside: KnownOutside
  readonly differences: readonly Omit<Difference, 'entry'>[]
  readonly venueQuotes: number
  readonly ledgers: readonly Ledger[]
}

/** Executes a swap request on the state after a block: the quotes of the venues, the swap through each, and the build. */
export async function knownAt(at: ChainPoint, asked: Asked): Promise<KnownAt> {
  const { world, request, isReference, faults, endpoint } = asked
  const { manifest } = world
  const nothing = { pools: UNKNOWN_POOLS, execution: null }
  if (request.swap === null) return { outside: nothing, differences: [], venueQuotes: 0, ledgers: [] }
  const { facts } = request.swap
  const [tokenIn, tokenOut] = [addressOf(facts.tokenIn.address), addressOf(facts.tokenOut.address)]
  const states = await poolsAt(at, poolsOfPair(manifest, tokenIn, tokenOut))
  const trial = new Trial(at)
  const quotes = await quotesOfRoutes(trial, manifest, states, tokenIn, tokenOut, inputsOf(facts))
  const feeds = await feedsOf(trial, manifest, facts)
  const areSound = isReference || areUndisturbed(feeds, at, world)
  // A service from outside may price gas through any pools, and without a price it cannot rank a venue.
  const isGasPriced = facts.outputIsEth || (areSound && feeds.eth !== null && feeds.tokenOut !== null)
  const isExact = isModelled(facts)
  const settled =
    isExact && facts.swappedRaw > 0n
      ? await settlementsAt(at, {
          ...{ manifest, facts, asked: request.asked, quotes, feeds },
          isBuild: endpoint === 'build',
          gasFactor: isReference ? GAS_FACTOR_OF_REFERENCE : GAS_FACTOR,
          areComplete: isReference && faults === 'none',
        })
      : undefined
  const priced = isExact ? [...venueOutputs(manifest, states, facts, request.asked.preferEngine)] : null
  const pools: KnownPools = {
    // A build is judged only by the venues that pay what they quote.
    models: priced && new Map(priced.filter(([id]) => endpoint === 'quote' || paysWhatItQuotes(states, id))),
    // A service may lack a price that a fault of the line has lost.
    modelsAreComplete: isExact && faults === 'none' && (isReference || isGasPriced),
    absurd: absurdVenues(states),
    marks: acceptedMarks(request.asked, marksOf(feeds, areSound), isReference),
    gasHasCost: at.context.baseFeeWei > 0n,
    ...(settled === undefined ? {} : { settled }),
  }
  const { execution, ledgers } = await executedBuild(at, asked, states)
  const isWronglyRefused =
    asked.http.answer?.status !== 200 && areSound && canBeServed(at, asked, states, pools)
  return {
    outside: { pools, execution, ...(isWronglyRefused ? { mustBe: 'served' } : {}) },
    differences: quotes.filter((quote) => !agrees(quote)).map(differenceOf),
    venueQuotes: quotes.length,
    ledgers,
  }
}

/** Returns whether every service must know the prices of the feeds: the run has changed none of them, and none is old. */
function areUndisturbed(
  { updatedAtS }: Feeds,
  { context: { timestampS } }: ChainPoint,
  { context: base }: Pick<BaseWorld, 'context'>,
): boolean {
  return updatedAtS.every((at) => at <= base.timestampS && timestampS - at <= FRESH_FEED_S)
}

/**
 * Returns whether every service can serve a request: no venue has a fault, gas has a price, and the swap succeeds through a
 * venue that needs no capability, with enough native coins left for its gas.
 */
function canBeServed(
  at: ChainPoint,
  { endpoint, request: { asked, swap }, world: { manifest } }: Asked,
  { faults }: VenueStates,
  { models, modelsAreComplete, settled }: KnownPools,
): boolean {
  const isCalm = Object.values(faults).every((fault) => fault === 0)
  if (!isCalm || !modelsAreComplete || models === null || models.size === 0) return false
  if (endpoint === 'quote') return true
  const { inputIsNative = false, amountInRaw = 0n } = swap?.facts ?? {}
  const coins = at.state.accounts.get(addressOf(asked.sender ?? ''))?.balance ?? 0n
  if (coins < (inputIsNative ? amountInRaw : 0n) + GAS_MONEY_WEI) return false
  const isAsked = (id: string) => (asked.preferEngine ?? id) === id
  const isPlain = (id: string) =>
    inputIsNative || manifest.venues.some((venue) => venue.id === id && venue.approval.kind === 'erc20')
  return [...(settled?.venues.keys() ?? [])].some((id) => isAsked(id) && isPlain(id))
}

function differenceOf({ venue, route, amountIn, executedRaw, model }: RouteQuote): Omit<Difference, 'entry'> {
  return {
    field: `what ${venue} pays for ${amountIn} along ${route}`,
    recorded: `nothing, and its exact model says ${model !== null && 'amountOut' in model ? model.amountOut : model?.unpriced}`,
    executed: executedRaw === null ? 'no price' : executedRaw.toString(),
  }
}

/** Executes the transaction of a build on the state of its answer. Nothing is known if the sender lacks the input. */
async function executedBuild(
  at: ChainPoint,
  { world: { manifest }, endpoint, request, http, isReference }: Asked,
  states: VenueStates,
): Promise<Pick<KnownOutside, 'execution'> & Pick<KnownAt, 'ledgers'>> {
  const build = endpoint === 'build' ? answeredBuild(http) : null
  const { asked, swap } = request
  // A service from outside need not know which accounts a token refuses; its builds are judged where they were mined.
  if (!isReference) return { execution: null, ledgers: [] }
  if (build === null || swap === null || asked.sender === undefined) return { execution: null, ledgers: [] }
  const { facts } = swap
  const [payer, tokenIn] = [addressOf(asked.sender), addressOf(facts.tokenIn.address)]
  if ((await new Trial(at).balance(tokenIn, payer)) < facts.amountInRaw)
    return { execution: null, ledgers: [] }
  const { tx, feeTransfer } = build
  const target = tx.allowanceTarget === null ? null : addressOf(tx.allowanceTarget)
  const { permit2 } = manifest
  const spender = tx.permit2 && target === addressOf(permit2) ? addressOf(tx.to) : target
  const {
    before,
    after,
    swap: executed,
    logs,
  } = await carryOut(at, manifest, {
    payer,
    tokenIn,
    allowance: spender === null ? null : { kind: tx.permit2 ? 'permit2' : 'erc20', spender },
    feeTransfer:
      feeTransfer === null ? null : { to: addressOf(feeTransfer.to), raw: BigInt(feeTransfer.amountRaw) },
    swap: { to: addressOf(tx.to), data: tx.data as Hex, value: BigInt(tx.value) },
  })
  const settled = {
    manifest,
    facts,
    build,
    states,
    recipient: asked.partnerFeeRecipient,
    before,
    after,
    logs,
  }
  const holdings = await holdingsOf(settled)
  const how = {
    succeeded: executed.succeeded,
    feeTransferSent: feeTransfer !== null,
    undisturbed: true,
    deliverableRaw: null,
  }
  return {
    execution: observedOf(settled, changesIn(holdings), how),
    ledgers: [{ http: http.id, tx: null, holdings }],
  }
}
