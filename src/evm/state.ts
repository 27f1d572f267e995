import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address, bytesToHex, type PrefixedHexString } from '@ethereumjs/util'
import { type Hex, hexToBytes } from 'viem'
import type { GasMeter } from './gasMeter.ts'
import { keccakOfBytes } from './keccak.ts'
import type { NodeFootprint } from './nodeFootprint.ts'
import { NOBODY, type StoredAccount, type Touched } from './touched.ts'

/** The storage of an account: 32-byte keys, and values without leading zeros. A slot of value zero is not in it. */
export type Slots = ReadonlyMap<Hex, Hex>

const NOTHING = new Uint8Array()
/** The bytes and hash of each code, cached because code is read often. */
const knownCodes = new Map<Hex, { readonly bytes: Uint8Array; readonly hash: Uint8Array }>()

function codeOf(code: Hex) {
  const known = knownCodes.get(code)
  if (known !== undefined) return known
  const bytes = hexToBytes(code)
  const made = { bytes, hash: keccakOfBytes(bytes) }
  knownCodes.set(code, made)
  return made
}

/**
 * The state of a chain in memory, for the EVM to read and write. A checkpoint costs nothing: later writes are undone from a log.
 */
export class EvmState implements StateManagerInterface {
  readonly #accounts: Map<Hex, StoredAccount>
  readonly #slots: Map<Hex, Slots>
  /** The storages that no other state shares; any other storage is copied before it is changed. */
  readonly #own = new Map<Hex, Map<Hex, Hex>>()
  #undo: (() => void)[] = []
  #checkpoints: number[] = []
  #originals = new Map<string, Uint8Array>()
  /** An account whose code is hidden: an unsigned call may come from a contract, which EIP-3607 would refuse as a sender. */
  sender: Hex | null = null
  /** Collects the accounts and slots that an execution touches; null: not collected. */
  touched: Touched | null = null
  /** The reads and writes that Anvil would keep; null: not tracked. */
  footprint: NodeFootprint | null
  /** Counts the executions on this state and its copies; null: not counted. */
  readonly meter: GasMeter | null

  constructor(
    accounts: Iterable<readonly [Hex, StoredAccount]> = [],
    slots: Iterable<readonly [Hex, Slots]> = [],
    footprint: NodeFootprint | null = null,
    meter: GasMeter | null = null,
  ) {
    this.#accounts = new Map(accounts)
    this.#slots = new Map(slots)
    this.footprint = footprint
    this.meter = meter
    meter?.spend(this.size)
  }

  /** Number of accounts and slots. */
  get size(): number {
    let size = this.#accounts.size
    for (const slots of this.#slots.values()) size += slots.size
    return size
  }

  /**
   * Returns an independent copy of the state.
   *
   * @param meter counts the executions on the copy. Default: the meter of this state.
   */
  copy(meter: GasMeter | null = this.meter): EvmState {
    this.#own.clear()
    return new EvmState(this.#accounts, this.#slots, this.footprint?.copy() ?? null, meter)
  }

  /**
   * Returns a copy for calls that are discarded, without a footprint.
   *
   * @param meter counts the executions on the copy. Default: the meter of this state.
   */
  scratch(meter: GasMeter | null = this.meter): EvmState {
    this.#own.clear()
    return new EvmState(this.#accounts, this.#slots, null, meter)
  }

  get accounts(): ReadonlyMap<Hex, StoredAccount> {
    return this.#accounts
  }

  slotsOf(address: Hex): Slots {
    return this.#slots.get(address) ?? new Map()
  }

  /** Sets an account without a transaction. */
  setAccount(address: Hex, changes: Partial<StoredAccount>): void {
    const now = this.#accounts.get(address) ?? NOBODY
    this.#accounts.set(address, { ...now, ...changes })
    this.footprint?.loaded(address)
  }

  /** Sets a slot without a transaction. */
  setSlot(address: Hex, key: Hex, value: Hex): void {
    this.footprint?.read(address, key)
    this.#write(address, key, value)
  }

  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = `${hexOf(address)} ${bytesToHex(key)}`
      const known = this.#originals.get(name)
      if (known !== undefined) return known
      const value = await this.getStorage(address, key)
      this.#originals.set(name, value)
      return value
    },
    clear: (): void => {
      this.#originals = new Map()
    },
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const hex = hexOf(address)
    this.footprint?.loaded(hex)
    const found = this.#accounts.get(hex)
    this.touched?.account(hex, found)
    if (found === undefined) return undefined
    const code = hex === this.sender ? NOBODY.code : found.code
    return new Account(found.nonce, found.balance, undefined, codeOf(code).hash)
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address)
    const hex = hexOf(address)
    const before = this.#accounts.get(hex)
    const { nonce, balance } = account
    this.#replace(hex, { nonce, balance, code: before?.code ?? NOBODY.code })
    this.footprint?.touched(hex, (undo) => this.#undo.push(undo))
  }

  async deleteAccount(address: Address): Promise<void> {
    const hex = hexOf(address)
    this.#replace(hex, undefined)
    this.touched?.removed(hex)
    await this.clearStorage(address)
  }

  async modifyAccountFields(address: Address, { nonce, balance }: AccountFields): Promise<void> {
    const hex = hexOf(address)
    const now = this.#accounts.get(hex) ?? NOBODY
    this.#replace(hex, { ...now, nonce: nonce ?? now.nonce, balance: balance ?? now.balance })
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    const hex = hexOf(address)
    const now = this.#accounts.get(hex) ?? NOBODY
    this.#replace(hex, { ...now, code: bytesToHex(value) })
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const hex = hexOf(address)
    this.footprint?.loaded(hex)
    const found = this.#accounts.get(hex)
    this.touched?.account(hex, found)
    return codeOf(found?.code ?? NOBODY.code).bytes
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const [hex, slot] = [hexOf(address), bytesToHex(key)]
    this.footprint?.read(hex, slot)
    const value = this.#slots.get(hex)?.get(slot)
    this.touched?.slot(hex, slot, value)
    return value === undefined ? NOTHING : hexToBytes(value)
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const [hex, slot] = [hexOf(address), bytesToHex(key)]
    this.footprint?.read(hex, slot)
    const before = this.#slots.get(hex)?.get(slot)
    this.touched?.slot(hex, slot, before)
    this.#undo.push(() => this.#write(hex, slot, before ?? '0x'))
    this.#write(hex, slot, bytesToHex(value))
  }

  async clearStorage(address: Address): Promise<void> {
    const hex = hexOf(address)
    const before = this.#slots.get(hex)
    this.touched?.cleared(hex, (before?.size ?? 0) === 0)
    this.#undo.push(() => this.#store(hex, before))
    this.#store(hex, undefined)
    this.footprint?.created(hex, (undo) => this.#undo.push(undo))
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length)
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop()
    if (this.#checkpoints.length === 0) this.#undo = []
  }

  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0
    for (const undo of this.#undo.splice(length).reverse()) undo()
  }

  // Roots are computed in stateRoots.ts: the EVM never reads them.
  getStateRoot(): Promise<Uint8Array> {
    throw new RangeError('the state has its roots from stateRoots.ts')
  }
  setStateRoot(): Promise<void> {
    throw new RangeError('a state is copied, and not set to a root')
  }
  async hasStateRoot(): Promise<boolean> {
    return false
  }
  clearCaches(): void {}
  shallowCopy(): EvmState {
    return this.copy()
  }

  #replace(hex: Hex, account: StoredAccount | undefined): void {
    const before = this.#accounts.get(hex)
    this.touched?.account(hex, before)
    this.#undo.push(() => this.#put(hex, before))
    this.#put(hex, account)
  }

  #put(hex: Hex, account: StoredAccount | undefined): void {
    if (account === undefined) this.#accounts.delete(hex)
    else this.#accounts.set(hex, account)
  }

  #write(hex: Hex, slot: Hex, value: Hex): void {
    const held = this.#own.get(hex) ?? new Map(this.#slots.get(hex))
    if (/^0x0*$/.test(value)) held.delete(slot)
    else held.set(slot, value.replace(/^0x(?:00)+/, '0x') as Hex)
    this.#slots.set(hex, held)
    this.#own.set(hex, held)
  }

  /** Replaces a whole storage. */
  #store(hex: Hex, slots: Slots | undefined): void {
    this.#own.delete(hex)
    if (slots === undefined) this.#slots.delete(hex)
    else this.#slots.set(hex, slots)
  }
}

/** Returns an address in lower-case hex, the form of the keys here. */
function hexOf(address: Address): PrefixedHexString {
  return bytesToHex(address.bytes)
}
