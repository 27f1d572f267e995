import type { Hex } from 'viem'

type Undo = (undo: () => void) => void

/**
 * The accounts and slots that Anvil 1.7.1 includes in its state roots although they are not part of the state by Ethereum's
 * rules: empty accounts and slots of value zero that were read. Anvil's database keeps reads as well as writes, and Anvil
 * computes the root over everything in it.
 */
export class NodeFootprint {
  readonly #accounts: Set<Hex>
  readonly #slots: Map<Hex, Set<Hex>>
  /** Contracts that earlier transactions created: Anvil keeps a slot read from one only if the transaction touched the account. */
  #createdBefore: Set<Hex>
  // During the current transaction:
  readonly #touched = new Set<Hex>()
  readonly #created = new Set<Hex>()
  readonly #readHere = new Map<Hex, Set<Hex>>()

  constructor(
    accounts: Iterable<Hex> = [],
    slots: Iterable<readonly [Hex, ReadonlySet<Hex>]> = [],
    created: Iterable<Hex> = [],
  ) {
    this.#accounts = new Set(accounts)
    this.#slots = new Map([...slots].map(([address, keys]) => [address, new Set(keys)]))
    this.#createdBefore = new Set(created)
  }

  copy(): NodeFootprint {
    return new NodeFootprint(this.#accounts, this.#slots, this.#createdBefore)
  }

  get accounts(): ReadonlySet<Hex> {
    return this.#accounts
  }

  /** Returns the slots of an account that Anvil keeps. */
  slotsOf(address: Hex): ReadonlySet<Hex> {
    return this.#slots.get(address) ?? new Set()
  }

  loaded(address: Hex): void {
    this.#accounts.add(address)
  }

  read(address: Hex, key: Hex): void {
    this.#accounts.add(address)
    if (!this.#createdBefore.has(address) && !this.#created.has(address))
      keysOf(this.#slots, address).add(key)
    keysOf(this.#readHere, address).add(key)
  }

  touched(address: Hex, undo: Undo): void {
    addTo(this.#touched, address, undo)
  }

  created(address: Hex, undo: Undo): void {
    addTo(this.#created, address, undo)
  }

  /** Ends a transaction: keeps the slots that it read from the accounts that it touched. */
  endTransaction(): void {
    for (const address of this.#touched) {
      if (this.#created.has(address)) {
        this.#slots.delete(address)
        this.#createdBefore.add(address)
      }
      for (const key of this.#readHere.get(address) ?? []) keysOf(this.#slots, address).add(key)
    }
    this.#touched.clear()
    this.#created.clear()
    this.#readHere.clear()
  }

  /** Forgets which contracts were created, as Anvil does when it is rolled back. */
  rolledBack(): void {
    this.#createdBefore = new Set()
  }
}

function keysOf(slots: Map<Hex, Set<Hex>>, address: Hex): Set<Hex> {
  const known = slots.get(address)
  if (known !== undefined) return known
  const made = new Set<Hex>()
  slots.set(address, made)
  return made
}

function addTo(set: Set<Hex>, address: Hex, undo: Undo): void {
  if (set.has(address)) return
  set.add(address)
  undo(() => set.delete(address))
}
