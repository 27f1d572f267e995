import type { Hex } from 'viem'

type Undo = (undo: () => void) => void

/**
 * What Anvil 1.7.1 counts into its state roots apart from the state itself: accounts that are empty and slots of value zero,
 * when something has read them. Its database keeps what it has read next to what was written, and the root is computed over
 * everything that it keeps; by Ethereum's rules neither belongs to the state.
 */
export class NodeFootprint {
  readonly #accounts: Set<Hex>
  readonly #slots: Map<Hex, Set<Hex>>
  /** Contracts that a transaction created: a slot that is read of one is kept only when the account was touched. */
  #createdBefore: Set<Hex>
  // Of the transaction under way:
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

  /** Returns the slots of an account that were ever read or written, and kept. */
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

  /** A transaction has ended: what it read of the accounts that it touched is kept. */
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

  /** The node was rolled back: it has forgotten which contracts were created. */
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
