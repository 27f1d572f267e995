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

/** Names of the API keys in the cases. */
export type KeyName = keyof typeof PARTNER_KEYS

/**
 * The environment of a case: the service over HTTP, and the other parts of its target. Each case begins with the chain as it
 * was at the start, but the service may still remember other cases. So a case compares, and never relies on a service without
 * history.
 */
export interface Environment extends Optional<Omit<EnvironmentParts, 'fresh'>>, TimeOfCases {
  readonly fresh: (() => Promise<this>) | null
  readonly manifest: Manifest
  readonly capabilities: ReadonlySet<Capability>
  /** The declared request budget for confirm; null: none, and the target's behaviour is only observed. */
  readonly confirmBudget: ConfirmBudget | null
  readonly samples: SampleSwaps
  readonly transcript: readonly Exchange[]
  /** Names for which there is a key. */
  readonly keys: ReadonlySet<KeyName>
  secret(key: KeyName): string
  /**
   * Returns a client under one of the keys, or under none. It respects an exhausted budget: a request that gets 429 is sent
   * again when `Retry-After` says so. Where time is real, it also waits before a quote that a memo could answer with earlier
   * pools. With the `patience` `none` it does neither.
   */
  client(key?: KeyName | null, patience?: 'obey-429' | 'none'): SwapClient
  /** Returns a client under any text as a key. */
  clientWithSecret(secret: string): SwapClient
  address(account: AccountName): `0x${string}`
  /** Records what only the case knows of its run; null: it is not recorded. */
  readonly recording: CaseTap | null
}

/** Parts that an environment has only with some targets and profiles; null where it has not. */
export interface EnvironmentParts {
  /** Control of the chain: mining, sending, reorganising. */
  readonly control: DrivenChain
  readonly line: Line
  /** Revokes a key at the target. Resolves to the command that was configured for it; null: the harness revoked it itself. */
  readonly revokeKey: (key: KeyName) => Promise<string | null>
  /** Ends the service and starts it again, on its stored data. */
  readonly restart: () => Promise<void>
  /** Returns the environment after a fresh start, as the next case would find it. */
  readonly fresh: () => Promise<unknown>
  /** In-process access to the service. */
  readonly inside: Inside
  /** The client under test, against the service of this environment. */
  readonly program: ClientUnderTest
}

type Optional<Members> = { readonly [Name in keyof Members]: Members[Name] | null }

/** A part of the environment that a case may use in addition to HTTP, or keys that not every target has. */
export type Part = keyof EnvironmentParts | 'legacyKey' | 'spareKeys'

/** An environment that has these parts. */
export type With<Used extends Part> = Environment &
  Pick<EnvironmentParts, Extract<Used, keyof EnvironmentParts>>

export function has<Used extends keyof EnvironmentParts>(
  environment: Environment,
  part: Used,
): environment is With<Used> {
  return environment[part] !== null
}

/**
 * Returns the environment for a case that uses these parts.
 *
 * @throws {BlamedError} a part is missing, although the case was planned.
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

/** Swaps for cases that need no particular venue. */
export interface SampleSwaps {
  /** A swap that every relevant venue can make. */
  readonly swap: Pick<SwapParameters, 'from' | 'to' | 'amount'>
  /** The account that builds; it holds what it sells. */
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
