import { Account, Address, hexToBytes } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { baseWorld } from './baseWorld.ts'
import type { BlockContext, UnsignedCall } from './call.ts'
import { GasMeter } from './gasMeter.ts'
import { throughKnown } from './knownCalls.ts'
import { NodeFootprint } from './nodeFootprint.ts'
import { EvmState } from './state.ts'
import { Trial } from './trial.ts'

const [CALLER, CONTRACT, OTHER] = (['11', '22', '33'] as const).map(
  (digits): Hex => `0x${digits.repeat(20)}`,
) as [Hex, Hex, Hex]
const [KEY, OTHER_KEY] = (['01', '02'] as const).map((digits): Hex => `0x${digits.repeat(32)}`) as [Hex, Hex]
const CONTEXT: BlockContext = {
  number: 7,
  timestampS: 1_000,
  miner: OTHER,
  baseFeeWei: 0n,
  gasLimit: 30_000_000,
  mixHash: KEY,
}
const EXECUTED = { succeeded: true, gasUsed: 30_000, returned: '0x01', logs: [] } as const

const addressOf = (hex: Hex) => new Address(hexToBytes(hex))

/** Returns a state with a meter, so that calls are remembered, in which every account and slot has a value. */
function stateOf(meter: GasMeter | null = new GasMeter(1e9)): EvmState {
  const state = new EvmState([], [], null, meter)
  for (const address of [CALLER, CONTRACT, OTHER]) state.setAccount(address, { balance: 5n })
  state.setAccount(CONTRACT, { code: '0x60' })
  for (const key of [KEY, OTHER_KEY]) state.setSlot(CONTRACT, key, '0x09')
  return state
}

let calls = 0
/** Returns a call that no other test makes. */
function newCall(changes: Partial<UnsignedCall> = {}): UnsignedCall {
  calls += 1
  return {
    from: CALLER,
    to: CONTRACT,
    data: `0x${calls.toString(16).padStart(8, '0')}`,
    valueRaw: 0n,
    gas: 1,
    ...changes,
  }
}

/** Executes like the EVM: increments the sender's nonce, reads an account, code and a slot, and writes another slot. */
function executing(call: UnsignedCall) {
  const counted = { times: 0, on: async (_state: EvmState) => {} }
  const run = (state: EvmState, context: BlockContext = CONTEXT) =>
    throughKnown(state, context, call, async () => {
      counted.times += 1
      const sender = await state.getAccount(addressOf(call.from))
      await state.putAccount(addressOf(call.from), new Account((sender?.nonce ?? 0n) + 1n, sender?.balance))
      await state.getAccount(addressOf(OTHER))
      await state.getCode(addressOf(CONTRACT))
      const value = await state.getStorage(addressOf(CONTRACT), hexToBytes(KEY))
      await state.putStorage(addressOf(CONTRACT), hexToBytes(`0x${'03'.repeat(32)}`), value)
      await counted.on(state)
      state.meter?.giveBack(100)
      return EXECUTED
    })
  return { counted, run }
}

const contentOf = (state: EvmState) => ({
  accounts: [...state.accounts],
  slots: [...state.accounts.keys()].map((address) => [...state.slotsOf(address)].sort()),
  spent: state.meter?.spent,
})

describe('a call that was executed before', () => {
  it('has the same outcome and leaves the same state where all that it read is unchanged', async () => {
    const { counted, run } = executing(newCall())
    const [first, second] = [stateOf(), stateOf()]
    expect(await run(first)).toEqual(EXECUTED)
    expect(await run(second)).toEqual(EXECUTED)
    expect(counted.times).toBe(1)
    expect(contentOf(second)).toEqual(contentOf(first))
    expect(second.accounts.get(CALLER)?.nonce).toBe(1n)
  })

  it('is recognised although an account or slot that it did not touch, or the nonce of its sender, has changed', async () => {
    const { counted, run } = executing(newCall())
    await run(stateOf())
    const other = stateOf()
    other.setSlot(CONTRACT, OTHER_KEY, '0x0a')
    other.setAccount(CALLER, { nonce: 41n })
    await run(other)
    expect(counted.times).toBe(1)
    expect(other.accounts.get(CALLER)).toMatchObject({ nonce: 42n, balance: 5n })
  })

  it.each<[string, (state: EvmState) => void]>([
    ['a slot that it read', (state) => state.setSlot(CONTRACT, KEY, '0x0a')],
    ['a slot that it only wrote', (state) => state.setSlot(CONTRACT, `0x${'03'.repeat(32)}`, '0x0a')],
    ['the balance of an account', (state) => state.setAccount(OTHER, { balance: 6n })],
    ['the nonce of an account', (state) => state.setAccount(OTHER, { nonce: 6n })],
    ['the code of an account', (state) => state.setAccount(CONTRACT, { code: '0x61' })],
    ['the balance of its sender', (state) => state.setAccount(CALLER, { balance: 6n })],
  ])('is executed again where this has changed: %s', async (_what, change) => {
    const { counted, run } = executing(newCall())
    await run(stateOf())
    const other = stateOf()
    change(other)
    await run(other)
    expect(counted.times).toBe(2)
    await run(stateOf())
    expect(counted.times).toBe(2)
  })

  it.each<[string, Partial<BlockContext>]>([
    ['number', { number: 8 }],
    ['time', { timestampS: 1_001 }],
    ['beneficiary', { miner: CALLER }],
    ['base fee', { baseFeeWei: 1n }],
    ['gas limit', { gasLimit: 1 }],
    ['randomness', { mixHash: OTHER_KEY }],
  ])('is executed again in a block with another %s', async (_what, change) => {
    const { counted, run } = executing(newCall())
    await run(stateOf())
    await run(stateOf(), { ...CONTEXT, ...change })
    expect(counted.times).toBe(2)
  })

  it.each<[string, Partial<UnsignedCall>]>([
    ['sender', { from: OTHER }],
    ['target', { to: OTHER }],
    ['data', { data: '0xffffffff' }],
    ['value', { valueRaw: 1n }],
    ['gas', { gas: 2 }],
  ])('is another call with another %s', async (_what, change) => {
    const call = newCall()
    await executing(call).run(stateOf())
    const other = executing({ ...call, ...change })
    await other.run(stateOf())
    expect(other.counted.times).toBe(1)
  })

  it.each<[string, Partial<UnsignedCall>, (state: EvmState) => void, (state: EvmState) => Promise<void>]>([
    ['it creates a contract', { to: null }, () => {}, async () => {}],
    ['its sender has code', { from: CONTRACT }, () => {}, async () => {}],
    [
      'the state keeps a footprint',
      {},
      (state) => {
        state.footprint = new NodeFootprint()
      },
      async () => {},
    ],
    ['it cleared a storage', {}, () => {}, (state) => state.clearStorage(addressOf(CONTRACT))],
    ['it removed an account', {}, () => {}, (state) => state.deleteAccount(addressOf(OTHER))],
  ])('is executed each time where %s', async (_why, changes, prepare, on) => {
    const { counted, run } = executing(newCall(changes))
    counted.on = on
    for (const state of [stateOf(), stateOf()]) {
      prepare(state)
      await run(state)
    }
    expect(counted.times).toBe(2)
  })

  it('is not remembered when it could not be executed', async () => {
    const { counted, run } = executing(newCall())
    counted.on = () => Promise.reject(new Error('no funds'))
    for (const state of [stateOf(), stateOf()]) await expect(run(state)).rejects.toThrow('no funds')
    expect(counted.times).toBe(2)
  })
})

it('has the same results, state and gas as an execution, in the base world', async () => {
  const { state, context, manifest } = await baseWorld()
  const { address: from } = ACCOUNTS.feeWallet
  const wrapped = async (meter: GasMeter | null) => {
    const trial = new Trial({ state: state.copy(meter), context })
    const returned: unknown[] = []
    for (const value of [10n ** 18n, 2n, 10n ** 30n, 3n]) {
      // No account has the third value: the call fails.
      const call = { from, to: manifest.weth, value }
      returned.push(await trial.call(call).catch(({ name }: Error) => name))
      returned.push(await trial.balance(manifest.weth, from))
    }
    // A missing function reverts.
    returned.push(await trial.call({ from, to: manifest.multicall3, data: '0xffffffff' }))
    return { returned, ...contentOf(trial.state) }
  }
  const { spent: _spent, ...executed } = await wrapped(null)
  const first = await wrapped(new GasMeter(1e9))
  expect(first).toMatchObject(executed)
  expect(first.accounts).toEqual(executed.accounts)
  expect(await wrapped(new GasMeter(1e9))).toEqual(first)
})
