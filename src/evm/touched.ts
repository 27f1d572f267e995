import type { Hex } from 'viem'

/** An account without its storage. */
export interface StoredAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
}

/** The content of an account that does not exist. */
export const NOBODY: StoredAccount = { nonce: 0n, balance: 0n, code: '0x' }

/** The accounts and slots that an execution read or wrote, with their values before it. */
export class Touched {
  readonly accounts = new Map<Hex, StoredAccount | undefined>()
  /** By account and key; undefined: the slot was zero. */
  readonly slots = new Map<Hex, Map<Hex, Hex | undefined>>()
  /** Accounts whose storage was cleared, and had been empty. */
  readonly bare = new Set<Hex>()
  /** True if the execution did more than these members show: it cleared a non-empty storage, or removed an existing account. */
  isMore = false

  account(address: Hex, before: StoredAccount | undefined): void {
    if (!this.accounts.has(address)) this.accounts.set(address, before)
  }

  slot(address: Hex, key: Hex, before: Hex | undefined): void {
    const slots = this.slots.get(address) ?? new Map<Hex, Hex | undefined>()
    this.slots.set(address, slots)
    if (!slots.has(key)) slots.set(key, before)
  }

  removed(address: Hex): void {
    if (this.accounts.get(address) !== undefined) this.isMore = true
  }

  cleared(address: Hex, isBare: boolean): void {
    if (isBare && !this.slots.has(address)) this.bare.add(address)
    else this.isMore = true
  }
}
