import { describe, expect, it } from 'vitest'
import { TransactionRejectedError } from '../errors.ts'
import { buildOf, NOW_MS } from '../store/testing/records.ts'
import {
  BLOCK,
  headAt,
  hex,
  key,
  OTHER_BLOCK_HASH,
  pending,
  reported,
  useConfirmer,
} from './testing/useConfirmer.ts'

const { world, confirm, change, expectNothingRecorded } = useConfirmer()

describe('the depth (§4.3 rule 6)', () => {
  it.each([
    [1, 11],
    [10, 2],
    [11, 1],
  ])('%i confirmations wait for the missing blocks', async (confirmations, retryAfterS) => {
    world.chain.state.head = headAt(confirmations)
    expect(await confirm()).toEqual(pending('too-few-confirmations', confirmations, retryAfterS))
    expect(world.chain.trips).toHaveLength(1)
    await expectNothingRecorded()
  })

  it.each([12, 13])('%i confirmations are enough', async (confirmations) => {
    world.chain.state.head = headAt(confirmations)
    expect(await confirm()).toEqual(reported)
  })

  it('is counted from a fresh head at each look', async () => {
    world.chain.beforeTrip = (trip) => {
      if (trip === 2) world.chain.state.head = headAt(11)
    }
    expect(await confirm()).toEqual(pending('too-few-confirmations', 11, 1))
    world.chain.state.head = headAt(12)
    world.chain.beforeTrip = (trip) => {
      if (trip === 5) world.chain.state.head = headAt(9)
    }
    expect(await confirm()).toEqual(pending('too-few-confirmations', 9, 3))
    await expectNothingRecorded()
  })

  it('is none when the head has fallen behind the block', async () => {
    world.chain.state.head = hex(BLOCK - 5)
    expect(await confirm()).toEqual(pending('too-few-confirmations', 0, 12))
  })

  it.each<[string, 'transaction' | 'receipt' | 'block', Record<string, unknown>]>([
    ['a revert', 'receipt', { status: '0x0' }],
    ['a mismatch', 'transaction', { input: '0x' }],
    ['a late execution', 'block', { timestamp: hex(NOW_MS / 1000 + 5_000) }],
  ])('keeps %s undecided until it is reached', async (_, part, fields) => {
    change(part, fields)
    world.chain.state.head = headAt(11)
    expect(await confirm()).toEqual(pending('too-few-confirmations', 11, 1))
    world.chain.state.head = headAt(12)
    await expect(confirm()).rejects.toBeInstanceOf(TransactionRejectedError)
  })
})

describe('the window (§4.3 rule 2)', () => {
  const at = (timestampS: number) => change('block', { timestamp: hex(timestampS) })

  it.each([
    ['on its last second', 1_200, NOW_MS],
    ['on its first second', 0, NOW_MS],
    ['in the second in which the build was made', 0, NOW_MS + 999],
  ])('contains a block %s', async (_, offsetS, createdAtMs) => {
    const made = buildOf(key, 'window', {
      createdAtMs,
      validUntilMs: createdAtMs + 1_200_000,
      valueRaw: 10n ** 18n,
    })
    await world.store.insertBuild(made)
    at(NOW_MS / 1000 + offsetS)
    expect(await confirm({ buildId: made.buildId })).toEqual(reported)
  })

  it('ends with its millisecond, not with its second', async () => {
    const made = buildOf(key, 'uneven', { validUntilMs: NOW_MS + 1_199_999, valueRaw: 10n ** 18n })
    await world.store.insertBuild(made)
    at(NOW_MS / 1000 + 1_200)
    await expect(confirm({ buildId: made.buildId })).rejects.toMatchObject({ reason: 'after-window' })
    at(NOW_MS / 1000 + 1_199)
    expect(await confirm({ buildId: made.buildId })).toEqual(reported)
  })
})

describe('a transaction whose block is canonical no longer', () => {
  it.each<[number, string, () => void]>([
    [2, 'another block takes the height', () => change('block', { hash: OTHER_BLOCK_HASH })],
    [2, 'the chain no longer reaches the height', () => (world.chain.state.block = null)],
    [3, 'another block takes the height', () => change('block', { hash: OTHER_BLOCK_HASH })],
    [3, 'the block is gone', () => (world.chain.state.block = null)],
    [3, 'the receipt is gone', () => (world.chain.state.receipt = null)],
    [
      3,
      'the transaction moved to another block',
      () => change('receipt', { blockNumber: hex(BLOCK + 1), blockHash: OTHER_BLOCK_HASH }),
    ],
  ])('is waited for when before round trip %i %s', async (before, _, reorganise) => {
    world.chain.beforeTrip = (trip) => {
      if (trip === before) reorganise()
    }
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
    expect(world.chain.trips).toHaveLength(before)
    await expectNothingRecorded()
  })
})
