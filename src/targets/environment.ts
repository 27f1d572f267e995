import type { PARTNER_KEYS } from '../fixtures/partners.ts'
import type { SwapAsk } from '../oracles/swapFacts.ts'
import type { DrivenChain } from '../simulation/drivenChain.ts'
import type { World } from '../simulation/world.ts'
import type { Capability, Need } from '../spec/requirements/index.ts'
import type { VenueId } from '../spec/venues.ts'
import { type Blame, BlamedError } from './blame.ts'
import type { Query, SwapClient } from './client.ts'
import type { Exchange } from './exchange.ts'

/** The parts that API keys play in the cases; every target is given a key for each. */
export type KeyName = keyof typeof PARTNER_KEYS

/**
 * What can be wrong with the target's line to its chain: no answer, an answer that is lost, one without sense; silence
 * to every question, or to those that name one venue.
 */
export type LineFaultKind = 'down' | 'answer-lost' | 'rubbish' | 'hanging' | `hanging-${VenueId}`

/**
 * Everything that a case may use of a target: the service over HTTP, and of its chain as much as `reach` says. Each case
 * begins in an environment whose chain is as it was at the start; what the service remembers of other cases may still be there,
 * unless the environment can undo that too. So a case compares, and never counts on a service that has seen nothing.
 */
export interface Environment extends DrivenChain {
  /** `http`: the service alone; `chain`: its chain may be read; `sandbox`: the chain obeys. */
  readonly reach: Need
  /** What the target declares. */
  readonly capabilities: ReadonlySet<Capability>
  /** A swap that every venue that matters can make, and an unknown token that has a price against `other`. */
  readonly samples: SampleSwaps
  readonly transcript: readonly Exchange[]
  /** The parts for which there is a key. */
  readonly keys: ReadonlySet<KeyName>
  /** The text of a key. */
  secret(key: KeyName): string
  /**
   * A client under one of the keys, or under none. It obeys an exhausted budget: what is answered 429 is sent again when
   * `Retry-After` says so, unless `patience` is `none`.
   */
  client(key?: KeyName | null, patience?: 'obey-429' | 'none'): SwapClient
  /** A client under any text as a key. */
  clientWithSecret(secret: string): SwapClient
  /** Lets time pass. */
  pass(deltaMs: number): Promise<void>
  /** Parameters that make a quote one that no memo knows, and change neither its outputs nor their order. */
  unmemoized(): Promise<Query>
  /** From now on budgets that were exhausted are full again. */
  outlastBudget(): Promise<void>
  /** Spoils the target's line to its chain until `heal`; null where the harness does not hold that line. */
  readonly line: { inject(how: LineFaultKind): Promise<void>; restore(): Promise<void> } | null
  /** Revokes a key at the target; null where nobody said how. */
  readonly revokeKey: ((key: KeyName) => Promise<void>) | null
  /**
   * The environment as the next case would find it, for a case that asks many questions and each of a chain as it was at the
   * start. Null where the case is to be put to one environment only.
   */
  readonly fresh: (() => Promise<Environment>) | null
  /** The world of a service in this process, whose seams can be reached; null elsewhere. */
  readonly inside: World | null
}

/** What the cases that need no particular venue trade. */
export interface SampleSwaps {
  readonly swap: Pick<SwapAsk, 'from' | 'to' | 'amount'>
  /** Who builds: an account that holds what it sells. */
  readonly sender: `0x${string}`
  /** A token that the registry does not know, sold for and bought with `against`. */
  readonly outside: {
    readonly symbol: string
    readonly address: `0x${string}`
    readonly decimals: number
    readonly against: string
    readonly amountSold: number
    readonly amountSpent: number
  }
}

/** What a harness must hold in its hands, beside the reach, for a case to be put. */
export type Power = 'line-faults' | 'legacy-key' | 'spare-keys' | 'revoke-key' | 'inside'

/** A case asked for more than its environment reaches: the case declares too little. */
export class OutOfReachError extends BlamedError {
  override readonly name = 'OutOfReachError'
  readonly blame: Blame = 'harness'
  constructor(what: string, reach: Need) {
    super(`a case wanted ${what} in a profile that reaches ${reach} only`, 'Declare what the case needs.')
  }
}
