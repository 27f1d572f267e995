import type { AccountName } from '../../fixtures/accounts.ts'
import type { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { SwapParameters } from '../../oracles/index.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Capability } from '../../spec/requirements/index.ts'
import { BlamedError } from '../blame.ts'
import type { ConfirmBudget } from '../description.ts'
import type { CaseTap } from '../transports/tap.ts'
import type { SwapClient } from './client.ts'
import type { ClientUnderTest } from './clients.ts'
import type { Inside } from './inside.ts'
import type { Line } from './line.ts'
import type { TimeOfCases } from './pace.ts'

/** The names of the API keys in the cases; every target is given a key for each. */
export type KeyName = keyof typeof PARTNER_KEYS

/**
 * Where a case runs: the service over HTTP, and what else of the target there is. Each case begins in an environment whose
 * chain is as it was at the start; what the service remembers of other cases may still be there. So a case compares, and
 * never counts on a service that has seen nothing.
 */
export interface Environment extends Optional<Omit<EnvironmentParts, 'fresh'>>, TimeOfCases {
  readonly fresh: (() => Promise<this>) | null
  readonly manifest: Manifest
  /** What the target declares. */
  readonly capabilities: ReadonlySet<Capability>
  /** The request budget that it declares for confirm; null: none, and what it does is only observed. */
  readonly confirmBudget: ConfirmBudget | null
  /** Swaps for cases that need no particular venue. */
  readonly samples: SampleSwaps
  readonly transcript: readonly Exchange[]
  /** The names for which there is a key. */
  readonly keys: ReadonlySet<KeyName>
  /** Returns the text of a key. */
  secret(key: KeyName): string
  /**
   * Returns a client under one of the keys, or under none. It obeys an exhausted budget: a request that gets 429 is sent again when
   * `Retry-After` says so. And where time is real it waits before a quote that a memo could answer with the pools as they
   * were. With the `patience` `none` it does neither.
   */
  client(key?: KeyName | null, patience?: 'obey-429' | 'none'): SwapClient
  /** Returns a client under any text as a key. */
  clientWithSecret(secret: string): SwapClient
  address(account: AccountName): `0x${string}`
  /** Takes what only the case knows of its run; null: nobody records it. */
  readonly recording: CaseTap | null
}

/** Describes what an environment has only with some targets and profiles; null where it is not there. */
export interface EnvironmentParts {
  /** Control of the chain: it mines, sends, reorganises as the case says. */
  readonly control: DrivenChain
  readonly line: Line
  /** Revokes a key at the target; resolves to the command that was configured for it, null where the harness did it itself. */
  readonly revokeKey: (key: KeyName) => Promise<string | null>
  /** Ends the service and starts it again, on what it stored. */
  readonly restart: () => Promise<void>
  /** Starts again: returns the environment as the next case would find it. */
  readonly fresh: () => Promise<unknown>
  /** In-process access to the service. */
  readonly inside: Inside
  /** The client that the case runs, against the service of this environment. */
  readonly program: ClientUnderTest
}

type Optional<Members> = { readonly [Name in keyof Members]: Members[Name] | null }

/** Describes what a case may use in addition to HTTP: a part of the environment, or keys that not every target has. */
export type Part = keyof EnvironmentParts | 'legacyKey' | 'spareKeys'

/** An environment that has these parts. */
export type With<Used extends Part> = Environment &
  Pick<EnvironmentParts, Extract<Used, keyof EnvironmentParts>>

/** Returns whether the environment has a part. */
export function has<Used extends keyof EnvironmentParts>(
  environment: Environment,
  part: Used,
): environment is With<Used> {
  return environment[part] !== null
}

/**
 * Returns the environment for a case that uses these parts.
 *
 * @throws {BlamedError} one is not there, although the case was planned.
 */
export function withParts<Used extends Part>(environment: Environment, uses: readonly Used[]): With<Used> {
  const missing = uses.find((part) => part in environment && environment[part as keyof Environment] === null)
  if (missing !== undefined)
    throw new BlamedError(
      'harness',
      'a case that is run only where its parts are',
      `the environment has no ${missing}`,
      'This is a bug in Plumbline: the case must be skipped here.',
    )
  return environment as With<Used>
}

/** Describes what the cases that need no particular venue trade. */
export interface SampleSwaps {
  /** A swap that every venue that matters can make. */
  readonly swap: Pick<SwapParameters, 'from' | 'to' | 'amount'>
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
