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
  /** `exact`: both times are by the service's own clock; `approximate`: by another clock. */
  readonly clock: 'exact' | 'approximate'
  /** True if the chain or a venue was made to hang. Absent: duration is not judged, as when it includes a wait for the budget. */
  readonly hanging?: boolean
}

/** The required outcome of a request, and the clauses that a case exercises with it. */
export interface Intent<MustBe extends string> {
  /** `anything`: any status conforms, and only the content of the response is judged. */
  readonly mustBe: MustBe | 'anything'
  /** Clauses that pass or fail with the required outcome. */
  readonly clauses?: readonly RequirementId[]
  readonly boundaryClasses?: readonly string[]
}

/** `served`: 200. `routed`: 200 with a route. `unpriced`: 200 with `route: null`. `refused`: any 4xx, or 200 with `route: null`. */
export type QuoteMustBe = 'served' | 'routed' | 'unpriced' | 'refused'

/**
 * `served`: 200. `answered`: 200, or 422 because no venue can build. `refused`: 400, or 422 where §7 does not list the
 * condition for 400. `unbuildable`: 422. `failed`: 502. `served-or-failed`: 200 or 502. `unserved`: 422 or 502. Bodies: §7.
 */
export type BuildMustBe =
  | 'served'
  | 'answered'
  | 'refused'
  | 'unbuildable'
  | 'failed'
  | 'served-or-failed'
  | 'unserved'

/** Facts about the pools, the price feeds and gas that are known independently of the service. */
export interface KnownPools {
  /** Output of each venue that can price the swap, by the exact models; null: the pools cannot be read. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer> | null
  /** True if `models` has exactly the venues that the alternatives must list; gas then has a known price in the output. */
  readonly modelsAreComplete: boolean
  /** Venues whose quoted output no swap pays. The specification does not show whether that is an answer. Absent: none. */
  readonly absurd?: readonly VenueId[]
  /** Pairs of USD marks that a service may measure the price impact against; empty: unknown. */
  readonly marks: readonly UsdMarks[]
  /** True if gas costs something on this chain; null: unknown. */
  readonly gasHasCost: boolean | null
  /** Outcomes of the swap through each venue, executed on the state of the request. Absent: not executed. */
  readonly settled?: KnownSettlements
}

/** Outcomes of one requested swap, executed through every venue on the chain state of the request. */
export interface KnownSettlements {
  /** Output and gas cost by venue, for the venues through which the swap succeeds. */
  readonly venues: ReadonlyMap<VenueId, { readonly deliveredRaw: bigint; readonly gasWei: bigint }>
  /** Value of one wei in base units of the output; null: no price feed of the chain gives it. */
  readonly outputPerWei: Rational | null
  /** Factor by which an estimate of gas may differ from the gas used. */
  readonly gasFactor: number
  /** True if `venues` lists every venue that can be built, and the service must have seen the same state. */
  readonly areComplete: boolean
}

export const UNKNOWN_POOLS: KnownPools = {
  models: null,
  modelsAreComplete: false,
  marks: [],
  gasHasCost: null,
}

/** A quote that the same service returned before the one that is judged. */
export interface EarlierQuote {
  readonly answer: ObservedAnswer
  readonly sameParameters: boolean
  /** Time from the earlier response until the later request. */
  readonly elapsedMs: number
  /** True if the pools moved between the two, so that live numbers must differ. */
  readonly poolMoved: boolean
}

/** One quote: the request, the response, and the facts known independently of the service. */
export interface QuoteObservation {
  readonly request: RequestedSwap
  readonly response: ObservedResponse
  readonly intent: Intent<QuoteMustBe>
  readonly pools: KnownPools
  readonly earlier?: readonly EarlierQuote[]
}

/** The contracts that a transaction may use, as listed in a manifest. */
export interface KnownContracts {
  readonly feeWallet: string
  readonly permit2: string
  readonly venues: readonly {
    readonly id: string
    /** The contract that takes the tokens sold to the venue. */
    readonly approval: { readonly spender: string }
  }[]
}

/** Change of a holder's balance of one token, in base units, without the gas that the sender paid. */
export interface BalanceChange {
  readonly holder: string
  readonly token: string
  readonly raw: bigint
}

/** The result of executing a build from its sender's account: approvals, fee transfer and swap in one block. */
export interface ObservedExecution {
  /** True if the swap's receipt reports success. */
  readonly succeeded: boolean
  readonly feeTransferSent: boolean
  /** True if nothing touched the pools between build and swap, so that the output must be the one shown. */
  readonly undisturbed: boolean
  /** Output that the pool could deliver right before the swap, by its exact model; null: unknown. */
  readonly deliverableRaw: bigint | null
  /** True if transfers of both tokens deliver the full amount; false for a token that takes a fee on transfer. */
  readonly exactTransfers: boolean
  /** Changes of every watched holder: all accounts, the contracts of the sandbox and the pools of the venue. */
  readonly changes: readonly BalanceChange[]
  readonly holders: {
    /** The accounts that hold the tokens of the venue. */
    readonly venue: readonly string[]
    /** Contracts that the swap passes through and that must keep nothing: settlement, Permit2, front contracts of venues. */
    readonly through: readonly string[]
    readonly settlement: string
    readonly weth: string
  }
}

/** One build: the request, the response, the facts known independently of the service, and its execution on the chain. */
export interface BuildObservation {
  readonly request: RequestedSwap
  readonly response: ObservedResponse
  readonly intent: Intent<BuildMustBe>
  /** The kind of the key; null: unknown, or the service has no attribution. */
  readonly key: 'individual' | 'legacy' | null
  /** Its models include only venues that pay in a swap the output that they quote. */
  readonly pools: KnownPools
  /** Null: unknown, as for a deployed service. */
  readonly contracts: KnownContracts | null
  /** True if there is code at `tx.to`; null: unknown. */
  readonly codeAtTarget: boolean | null
  /** The ids of other builds, from which this one's must differ. */
  readonly otherBuildIds?: readonly string[]
  /** Null: not executed. */
  readonly execution: ObservedExecution | null
}
