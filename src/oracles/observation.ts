import type { RequirementId } from '../spec/requirements/index.ts'
import type { VenueId } from '../spec/venues.ts'
import type { Rational } from './amounts/rational.ts'
import type { ObservedAnswer } from './response/answer.ts'
import type { UsdMarks } from './route/impact.ts'
import type { ModelAnswer } from './route/quoteVsModel.ts'
import type { RequestedSwap } from './swapFacts.ts'

/** A response with its times, in epoch milliseconds. */
export interface ObservedResponse extends ObservedAnswer {
  readonly requestedAtMs: number
  readonly respondedAtMs: number
  /** `exact`: both times are those of the service's own clock; `approximate`: another clock stands in for it. */
  readonly clock: 'exact' | 'approximate'
  /**
   * True if the chain, or one venue of it, was made to hang: then the duration is judged. Absent: it is not, as when the
   * times include a wait for a budget.
   */
  readonly hanging?: boolean
}

/** Describes what must become of a request, and the clauses that a case exercises with it. */
export interface Intent<MustBe extends string> {
  /** `anything`: the response is judged by what it says, whatever its status. */
  readonly mustBe: MustBe | 'anything'
  /** They pass or fail with the outcome that is asked for. */
  readonly clauses?: readonly RequirementId[]
  readonly boundaryClasses?: readonly string[]
}

/**
 * `served`: 200. `routed`: 200 with a route. `unpriced`: 200 with `route: null`. `refused`: any 4xx, as §4.1 names none, or
 * 200 with `route: null`.
 */
export type QuoteMustBe = 'served' | 'routed' | 'unpriced' | 'refused'

/**
 * `served`: 200. `answered`: 200, or 422 as no venue can build. `refused`: 400, or 422 where §7 does not list the
 * condition for 400. `unbuildable`: 422. `failed`: 502. `served-or-failed`: 200 or 502. `unserved`: 422 or 502. The bodies are
 * those of §7.
 */
export type BuildMustBe =
  | 'served'
  | 'answered'
  | 'refused'
  | 'unbuildable'
  | 'failed'
  | 'served-or-failed'
  | 'unserved'

/** Describes what is known of the pools, the price feeds and the gas, without the service. */
export interface KnownPools {
  /** Output of each venue that can price the swap, by the exact models; null: the pools cannot be read. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer> | null
  /** True if `models` has exactly the venues that must be among the alternatives: gas surely has a price in the output. */
  readonly modelsAreComplete: boolean
  /** Venues that quote what no swap pays: whether such a venue has answered is not shown. Absent: none. */
  readonly absurd?: readonly VenueId[]
  /** The pairs of USD marks that a service may measure the price impact by; empty: unknown. */
  readonly marks: readonly UsdMarks[]
  /** True if the chain's gas costs something; null: unknown. */
  readonly gasHasCost: boolean | null
  /** Outcome of the swap through each venue, executed on the state of the request. Absent: it was not executed. */
  readonly settled?: KnownSettlements
}

/** The swap of one request through every venue, each carried out on the state that the request met. */
export interface KnownSettlements {
  /** The venues through which it succeeds: what it delivers, in base units, and what its gas costs in wei. */
  readonly venues: ReadonlyMap<VenueId, { readonly deliveredRaw: bigint; readonly gasWei: bigint }>
  /** Base units of the output that a wei is worth; null: no feed of the chain says. */
  readonly outputPerWei: Rational | null
  /** By which factor an estimate of gas may differ from the gas that is used. */
  readonly gasFactor: number
  /** True if the venues are all that can be built, and the service must have met the same state. */
  readonly areComplete: boolean
}

export const UNKNOWN_POOLS: KnownPools = {
  models: null,
  modelsAreComplete: false,
  marks: [],
  gasHasCost: null,
}

/** Another quote by the same service, before the one that is judged. */
export interface EarlierQuote {
  readonly answer: ObservedAnswer
  readonly sameParameters: boolean
  /** From the earlier response until the later request. */
  readonly elapsedMs: number
  /** True if the pools moved between the two, so that live numbers must differ. */
  readonly poolMoved: boolean
}

/** One quote: the request, the response, and what is known without the service. */
export interface QuoteObservation {
  readonly request: RequestedSwap
  readonly response: ObservedResponse
  readonly intent: Intent<QuoteMustBe>
  readonly pools: KnownPools
  readonly earlier?: readonly EarlierQuote[]
}

/** Describes what a manifest says of the contracts that a transaction may use. */
export interface KnownContracts {
  readonly feeWallet: string
  readonly permit2: string
  readonly venues: readonly {
    readonly id: string
    /** The contract that takes the tokens of the venue's swaps. */
    readonly approval: { readonly spender: string }
  }[]
}

/** Describes how the holdings of one token changed, in base units. The gas that the sender paid is left out. */
export interface BalanceChange {
  readonly holder: string
  readonly token: string
  readonly raw: bigint
}

/** Describes what happened when the sender carried a build out: approvals, fee transfer and swap in one block. */
export interface ObservedExecution {
  /** True if the receipt of the swap says success. */
  readonly succeeded: boolean
  readonly feeTransferSent: boolean
  /** True if nothing touched the pools between build and swap, so that the output must be the one shown. */
  readonly undisturbed: boolean
  /** Output that the pool could deliver right before, by its exact model; null: unknown. */
  readonly deliverableRaw: bigint | null
  /** True if a transfer of either token delivers what is sent: not of a token that takes a fee. */
  readonly exactTransfers: boolean
  /** Of every holder that was watched: all accounts, the contracts of the sandbox and the pools of the venue. */
  readonly changes: readonly BalanceChange[]
  readonly holders: {
    /** The accounts that hold the tokens of the venue. */
    readonly venue: readonly string[]
    /** Contracts that the swap runs through, which must keep nothing: settlement, Permit2, the fronts of venues. */
    readonly through: readonly string[]
    readonly settlement: string
    readonly weth: string
  }
}

/** One build: the request, the response, what is known without the service, and what it came to on the chain. */
export interface BuildObservation {
  readonly request: RequestedSwap
  readonly response: ObservedResponse
  readonly intent: Intent<BuildMustBe>
  /** The kind of the key; null: unknown, or the service has no attribution. */
  readonly key: 'individual' | 'legacy' | null
  /** The models are those of the venues that pay in a swap what they quote. */
  readonly pools: KnownPools
  /** Null: the contracts of a deployed service are unknown. */
  readonly contracts: KnownContracts | null
  /** True if there is code at `tx.to`; null: unknown. */
  readonly codeAtTarget: boolean | null
  /** The ids of other builds, from which this one's must differ. */
  readonly otherBuildIds?: readonly string[]
  /** Null: not carried out. */
  readonly execution: ObservedExecution | null
}
