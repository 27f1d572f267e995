import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { Fees } from '../../sandbox/wallet.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { UnknownNameError } from '../steps/stepErrors.ts'

/** A partner's API key. */
export interface ScenarioKey {
  readonly keyId: string
  readonly partnerId: string
  readonly kind: 'individual' | 'legacy'
  readonly secret: string
  readonly revoked: boolean
}

/** A build that succeeded. */
export interface ScenarioBuild {
  readonly response: BuildResponse
  readonly key: ScenarioKey
  readonly account: AccountName
  /** Address of the input token, the zero address for the native coin. */
  readonly tokenIn: Hex
  readonly createdAtMs: number
  /** `attribution.validUntil`; null without attribution. */
  readonly validUntilMs: number | null
}

/** A transaction that was sent. */
export interface ScenarioTransaction {
  readonly hash: Hex
  readonly rawTransaction: Hex
  readonly nonce: number
  readonly account: AccountName
  readonly fees: Fees
  /** The build that it executes, changed or not; null for approvals, permits, fee transfers, cancellations. */
  readonly build: ScenarioBuild | null
}

class Registry<Entry> extends Map<string, Entry> {
  readonly #kind: string

  constructor(kind: string) {
    super()
    this.#kind = kind
  }

  /** @throws {UnknownNameError} no entry has this name. */
  override get(name: string): Entry {
    const entry = super.get(name)
    if (entry === undefined) throw new UnknownNameError(this.#kind, name, this.keys())
    return entry
  }

  all(): readonly Entry[] {
    return [...this.values()]
  }
}

/** Keys, builds and transactions that the steps of one scenario have created, by name. */
export class ScenarioNames {
  readonly keys = new Registry<ScenarioKey>('key')
  readonly builds = new Registry<ScenarioBuild>('build')
  readonly transactions = new Registry<ScenarioTransaction>('transaction')

  constructor(keys: Readonly<Record<string, Omit<ScenarioKey, 'revoked'>>> = PARTNER_KEYS) {
    for (const [name, key] of Object.entries(keys)) this.keys.set(name, { ...key, revoked: false })
  }
}

/** @throws {UnknownNameError} no fixture account has this name. */
export function accountNamed(name: string): AccountName {
  if (!Object.hasOwn(ACCOUNTS, name)) throw new UnknownNameError('account', name, Object.keys(ACCOUNTS))
  return name as AccountName
}
