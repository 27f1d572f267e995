import type { Hex } from 'viem'
import { keccak256 } from './keccak.ts'
import { rlpBytes, rlpList, rlpNumber } from './rlp.ts'
import type { EvmState, Slots } from './state.ts'
import { NOBODY } from './touched.ts'
import { rootOf } from './trieRoot.ts'

/** The two roots of one state. */
export interface StateRoots {
  /** By the rules of Ethereum (yellow paper, section 4.1). */
  readonly ethereum: Hex
  /** By Anvil 1.7.1, see `NodeFootprint`. */
  readonly node: Hex
}

const NO_SLOTS: ReadonlySet<Hex> = new Set()
/** Hashes of keys and addresses: a world has about a thousand, and every root needs all of them. */
const hashes = new Map<Hex, Hex>()
const storageRoots = new Map<string, Hex>()

/** @throws {RangeError} the state has no footprint. */
export function stateRootsOf(state: EvmState): StateRoots {
  return { ethereum: ethereumRootOf(state), node: nodeRootOf(state) }
}

function ethereumRootOf(state: EvmState): Hex {
  return rootOf([...state.accounts.keys()].map((address) => leafOf(state, address, NO_SLOTS)))
}

/** Returns the root by Anvil, see `StateRoots`. @throws {RangeError} the state has no footprint. */
export function nodeRootOf(state: EvmState): Hex {
  const { footprint } = state
  if (footprint === null) throw new RangeError('the state has no footprint')
  const known = new Set([...state.accounts.keys(), ...footprint.accounts])
  return rootOf([...known].map((address) => leafOf(state, address, footprint.slotsOf(address))))
}

function leafOf(state: EvmState, address: Hex, kept: ReadonlySet<Hex>) {
  const { nonce, balance, code } = state.accounts.get(address) ?? NOBODY
  const root = storageRootOf(state.slotsOf(address), kept)
  const hashes = [root, hashOf(code)].map((hash) => rlpBytes(hash.slice(2)))
  const fields = [rlpNumber(nonce), rlpNumber(balance), ...hashes]
  return { key: hashOf(address), value: `0x${rlpList(fields)}` as const }
}

function storageRootOf(slots: Slots, kept: ReadonlySet<Hex>): Hex {
  const keys = [...new Set([...slots.keys(), ...kept])].sort()
  const name = keys.map((key) => `${key}${slots.get(key) ?? '0x'}`).join()
  const known = storageRoots.get(name)
  if (known !== undefined) return known
  const root = rootOf(
    keys.map((key) => ({
      key: hashOf(key),
      value: `0x${rlpBytes((slots.get(key) ?? '0x').slice(2))}` as const,
    })),
  )
  storageRoots.set(name, root)
  return root
}

function hashOf(bytes: Hex): Hex {
  const known = hashes.get(bytes)
  if (known !== undefined) return known
  const hash = keccak256(bytes)
  hashes.set(bytes, hash)
  return hash
}
