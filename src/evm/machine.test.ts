import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { baseWorld } from './baseWorld.ts'
import { executeCall } from './machine.ts'
import { EvmState } from './state.ts'

const CALLER = `0x${'11'.repeat(20)}` as const
const CALL = { from: CALLER, to: CALLER, data: '0x', valueRaw: 0n, gas: 100_000 } as const

/** Executes a call on a state that nothing else refers to. */
async function executedState(): Promise<WeakRef<EvmState>> {
  const { context } = await baseWorld()
  const state = new EvmState()
  expect(await executeCall(state, { ...context, baseFeeWei: 0n }, CALL)).toMatchObject({ succeeded: true })
  return new WeakRef(state)
}

it('releases a state after executing on it, so that any number of recordings can be verified one after another', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const states = [await executedState(), await executedState()]
  // A state may stay in memory until the end of the turn in which it was last read.
  await new Promise(setImmediate)
  collectGarbage()
  expect(states.map((state) => state.deref())).toEqual([undefined, undefined])
})
