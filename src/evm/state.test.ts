import { Address, hexToBytes } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { EvmState } from './state.ts'

const CONTRACT: Hex = `0x${'22'.repeat(20)}`
const [KEY, OTHER_KEY]: readonly [Hex, Hex] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`]
const AT = new Address(hexToBytes(CONTRACT))

function stateOf(): EvmState {
  const state = new EvmState()
  state.setAccount(CONTRACT, { balance: 5n })
  state.setSlot(CONTRACT, KEY, '0x09')
  return state
}

const slotsOf = (state: EvmState) => Object.fromEntries(state.slotsOf(CONTRACT))

/** Changes of a state, each with the slots of the contract afterwards. */
const CHANGES: readonly (readonly [string, Record<Hex, Hex>, (state: EvmState) => void | Promise<void>])[] = [
  ['sets a slot', { [KEY]: '0x0a' }, (state) => state.setSlot(CONTRACT, KEY, '0x0a')],
  [
    'adds a slot',
    { [KEY]: '0x09', [OTHER_KEY]: '0x0a' },
    (state) => state.setSlot(CONTRACT, OTHER_KEY, '0x0a'),
  ],
  ['removes a slot', {}, (state) => state.setSlot(CONTRACT, KEY, '0x00')],
  [
    'executes a write',
    { [KEY]: '0x0a' },
    (state) => state.putStorage(AT, hexToBytes(KEY), hexToBytes('0x0a')),
  ],
  ['clears the storage', {}, (state) => state.clearStorage(AT)],
  [
    'writes to a storage whose clearing was reverted',
    { [KEY]: '0x0a' },
    async (state) => {
      await state.checkpoint()
      await state.clearStorage(AT)
      state.setSlot(CONTRACT, OTHER_KEY, '0x0b')
      await state.revert()
      state.setSlot(CONTRACT, KEY, '0x0a')
    },
  ],
]

describe.each(['copy', 'scratch'] as const)('a state and its %s', (kind) => {
  it.each(CHANGES)('change independently: one %s', async (_what, expected, change) => {
    const original = stateOf()
    const copy = original[kind]()
    await change(copy)
    expect(slotsOf(original)).toEqual({ [KEY]: '0x09' })
    expect(slotsOf(copy)).toEqual(expected)

    const [first, second] = [stateOf(), stateOf()]
    const [ofFirst, ofSecond] = [first[kind](), second[kind]()]
    // A state that is written and then copied again.
    ofSecond.setSlot(CONTRACT, KEY, '0x0c')
    const third = ofSecond[kind]()
    await change(first)
    expect(slotsOf(first)).toEqual(expected)
    await change(ofSecond)
    expect([ofFirst, second, third].map(slotsOf)).toEqual([
      { [KEY]: '0x09' },
      { [KEY]: '0x09' },
      { [KEY]: '0x0c' },
    ])
  })
})

it('reverts writes since a checkpoint, and keeps those before it', async () => {
  const state = stateOf()
  await state.putStorage(AT, hexToBytes(OTHER_KEY), hexToBytes('0x07'))
  await state.checkpoint()
  await state.putStorage(AT, hexToBytes(KEY), hexToBytes('0x0a'))
  await state.clearStorage(AT)
  await state.putStorage(AT, hexToBytes(KEY), hexToBytes('0x0b'))
  await state.revert()
  expect(slotsOf(state)).toEqual({ [KEY]: '0x09', [OTHER_KEY]: '0x07' })
})
