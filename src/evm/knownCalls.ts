import type { Hex } from 'viem'
import type { BlockContext, Executed, UnsignedCall } from './call.ts'
import type { GasMeter } from './gasMeter.ts'
import type { EvmState } from './state.ts'
import { NOBODY, type StoredAccount, Touched } from './touched.ts'

/** The outcome of a call, and the state that it depends on. */
interface KnownCall {
  readonly touched: Touched
  /** The accounts that changed, in the order of the state. */
  readonly accounts: readonly (readonly [address: Hex, account: StoredAccount])[]
  readonly slots: readonly (readonly [address: Hex, key: Hex, value: Hex])[]
  readonly executed: Executed
  /** Gas that was given back to the meter. */
  readonly unspentGas: number
}

/** Number of states on which one call is remembered. */
const MOST_STATES = 8
/** The size of the cache, in characters; each account and slot counts as `WEIGHT_OF_PLACE`. */
const MOST_WEIGHT = 30_000_000
const WEIGHT_OF_PLACE = 200

let known = new Map<string, KnownCall[]>()
let weight = 0

/**
 * Executes a call, unless it was executed before in the same block and everything that it read of the state is unchanged: then
 * the remembered outcome and changes are applied.
 *
 * The nonce of a sender without code may differ: only the address of a contract that it creates depends on it.
 *
 * @param execute executes the call and changes the state.
 */
export async function throughKnown(
  state: EvmState,
  context: BlockContext,
  call: UnsignedCall,
  execute: () => Promise<Executed>,
): Promise<Executed> {
  const { meter, footprint } = state
  const sender = state.accounts.get(call.from) ?? NOBODY
  // Every read changes a footprint, and a sender with code may create contracts.
  if (footprint !== null || call.to === null || sender.code !== NOBODY.code) return execute()
  const name = `${nameOf(context)} ${call.from} ${call.to} ${call.valueRaw} ${call.gas} ${call.data}`
  const found = known.get(name)?.find((each) => isSame(state, call.from, each.touched))
  // Only a meter shows how much gas an execution gives back.
  if (found === undefined) return meter === null ? execute() : remembered(name, state, meter, execute)
  for (const [address, account] of found.accounts)
    state.setAccount(address, address === call.from ? { ...account, nonce: sender.nonce + 1n } : account)
  for (const place of found.slots) state.setSlot(...place)
  meter?.giveBack(found.unspentGas)
  return found.executed
}

/** Returns whether everything that a call touched is unchanged, except for the nonce of its sender. */
function isSame(state: EvmState, from: Hex, { accounts, slots, bare }: Touched): boolean {
  for (const [address, before] of accounts) {
    const now = state.accounts.get(address)
    const isAsBefore = address === from ? now?.balance === before?.balance : isSameAccount(now, before)
    if (!isAsBefore) return false
  }
  for (const [address, before] of slots) {
    const held = state.slotsOf(address)
    for (const [key, value] of before) if (held.get(key) !== value) return false
  }
  for (const address of bare) if (state.slotsOf(address).size > 0) return false
  return true
}

function isSameAccount(one: StoredAccount | undefined, other: StoredAccount | undefined): boolean {
  if (one === other) return true
  return one?.nonce === other?.nonce && one?.balance === other?.balance && one?.code === other?.code
}

async function remembered(
  name: string,
  state: EvmState,
  meter: GasMeter,
  execute: () => Promise<Executed>,
): Promise<Executed> {
  if (state.touched !== null) throw new RangeError('two calls are executed on one state at a time')
  const [touched, before] = [new Touched(), meter.spent]
  state.touched = touched
  try {
    const executed = await execute()
    const unspentGas = before - meter.spent
    if (!touched.isMore) keep(name, { touched, ...changesIn(state, touched), executed, unspentGas })
    return executed
  } finally {
    state.touched = null
  }
}

function changesIn(state: EvmState, touched: Touched): Pick<KnownCall, 'accounts' | 'slots'> {
  const accounts = [...state.accounts].filter(
    ([address, now]) => touched.accounts.has(address) && touched.accounts.get(address) !== now,
  )
  const slots = [...touched.slots].flatMap(([address, before]) => {
    const held = state.slotsOf(address)
    return [...before].flatMap(([key, value]) => {
      const now = held.get(key)
      return now === value ? [] : [[address, key, now ?? '0x'] as const]
    })
  })
  return { accounts, slots }
}

function keep(name: string, call: KnownCall): void {
  const { executed, touched } = call
  const places = [...touched.slots.values()].reduce((sum, { size }) => sum + size, touched.accounts.size)
  const added = name.length + JSON.stringify(executed).length + places * WEIGHT_OF_PLACE
  if (weight + added > MOST_WEIGHT) {
    known = new Map()
    weight = 0
  }
  weight += added
  const others = known.get(name) ?? []
  known.set(name, [call, ...others].slice(0, MOST_STATES))
}

const names = new WeakMap<BlockContext, string>()

function nameOf(context: BlockContext): string {
  const known = names.get(context)
  if (known !== undefined) return known
  const { number, timestampS, miner, baseFeeWei, gasLimit, mixHash } = context
  const name = `${number} ${timestampS} ${miner} ${baseFeeWei} ${gasLimit} ${mixHash}`
  names.set(context, name)
  return name
}
