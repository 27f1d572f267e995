import type { Hex } from 'viem'
import type { StoredAccount } from './account.ts'

/** What an execution has read or written of a state, as it was before. A storage is read slot by slot, or found empty. */
export class Touched {
  readonly accounts = new Map<Hex, StoredAccount | undefined>()
  /** By account and key; undefined: the slot was zero. */
  readonly slots = new Map<Hex, Map<Hex, Hex | undefined>>()
  /** Accounts that had no storage at all. */
  readonly bare = new Set<Hex>()
  /** It did what these members do not say: it cleared a storage, or removed an account that was there before. */
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
