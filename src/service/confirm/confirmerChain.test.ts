import { describe, expect, it } from 'vitest'
import { TransactionRejectedError } from '../errors.ts'
import { buildOf, NOW_MS } from '../store/testing/records.ts'
import {
  BLOCK,
  executed,
  headAt,
  hex,
  key,
  OTHER_BLOCK_HASH,
  pending,
  reported,
  useConfirmer,
} from './testing/useConfirmer.ts'

const { world, confirm, change, expectNothingRecorded, expectRejected } = useConfirmer()

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

  it('refuses a reverted transaction once reached', async () => {
    change('receipt', { status: '0x0' })
    await expectRejected('reverted')
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

  it('ends with a block one second late', async () => {
    at(NOW_MS / 1000 + 1_201)
    await expectRejected('after-window')
  })

  it('ends with its millisecond, not with its second', async () => {
    const made = buildOf(key, 'uneven', { validUntilMs: NOW_MS + 1_199_999, valueRaw: 10n ** 18n })
    await world.store.insertBuild(made)
    at(NOW_MS / 1000 + 1_200)
    await expect(confirm({ buildId: made.buildId })).rejects.toMatchObject({ reason: 'after-window' })
    at(NOW_MS / 1000 + 1_199)
    expect(await confirm({ buildId: made.buildId })).toEqual(reported)
  })

  it('begins with the build', async () => {
    at(NOW_MS / 1000 - 1)
    await expectRejected('before-window')
  })
})

describe('a transaction that is in no canonical block', () => {
  it('is waited for when the node does not know it', async () => {
    world.chain.state.transaction = null
    world.chain.state.receipt = null
    expect(await confirm()).toEqual(pending('transaction-not-found', 0, 12))
  })

  it('is waited for while it has no receipt', async () => {
    change('transaction', { blockNumber: null, blockHash: null })
    world.chain.state.receipt = null
    expect(await confirm()).toEqual(pending('pending', 0, 12))
  })

  it('is waited for when another block took the height of its own', async () => {
    change('block', { hash: OTHER_BLOCK_HASH })
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
  })

  it('is waited for when the chain no longer reaches its height', async () => {
    world.chain.state.block = null
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
  })

  it.each<[string, () => void]>([
    ['another block takes the height', () => change('block', { hash: OTHER_BLOCK_HASH })],
    ['the block is gone', () => (world.chain.state.block = null)],
    ['the receipt is gone', () => (world.chain.state.receipt = null)],
    [
      'the transaction moved to another block',
      () => change('receipt', { blockNumber: hex(BLOCK + 1), blockHash: OTHER_BLOCK_HASH }),
    ],
  ])('is waited for when %s after it was judged and before it is recorded', async (_, reorganise) => {
    world.chain.beforeTrip = (trip) => {
      if (trip === 3) reorganise()
    }
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
    expect(world.chain.trips).toHaveLength(3)
    await expectNothingRecorded()
  })

  it('is credited to the block that carries it in the end', async () => {
    world.chain.state.transaction = null
    world.chain.state.receipt = null
    await confirm()
    world.chain.state.transaction = executed(world.build, 20).transaction
    world.chain.state.receipt = { ...executed(world.build, 20).receipt, blockHash: OTHER_BLOCK_HASH }
    change('block', { hash: OTHER_BLOCK_HASH, timestamp: hex(NOW_MS / 1000 + 9) })
    expect(await confirm()).toEqual(reported)
    expect(await world.store.findAttributionByBuild(world.build.buildId)).toMatchObject({
      blockHash: OTHER_BLOCK_HASH,
      blockTimestampS: NOW_MS / 1000 + 9,
    })
  })
})
