import { describe, expect, it } from 'vitest'
import { AlreadyAttributedError, BuildNotFoundError, type RejectionReason } from '../errors.ts'
import type { KeyRecord } from '../records.ts'
import { attributionOf, buildOf } from '../store/testing/records.ts'
import { executed, foreigner, hex, key, OTHER_HASH, reported, useConfirmer } from './testing/useConfirmer.ts'

const { world, confirm, change, expectRejected } = useConfirmer()

describe('a transaction that is not the build (§4.3 rule 1)', () => {
  it.each<[string, RejectionReason, Record<string, unknown>]>([
    ['another chain', 'chain-mismatch', { chainId: '0x1' }],
    ['another sender', 'sender-mismatch', { from: `0x${'a2'.repeat(20)}` }],
    ['another target', 'target-mismatch', { to: `0x${'b3'.repeat(20)}` }],
    ['a contract creation', 'target-mismatch', { to: null }],
    ['one byte of calldata changed', 'calldata-mismatch', { input: `0xdeadbeee${'00ff'.repeat(16)}` }],
    ['one byte of calldata more', 'calldata-mismatch', { input: `0xdeadbeef${'00ff'.repeat(16)}00` }],
    ['one byte of calldata less', 'calldata-mismatch', { input: `0xdeadbeef${'00ff'.repeat(15)}00` }],
    ['no calldata', 'calldata-mismatch', { input: '0x' }],
    ['one wei more', 'value-mismatch', { value: hex(10n ** 18n + 1n) }],
    ['one wei less', 'value-mismatch', { value: hex(10n ** 18n - 1n) }],
    ['no value', 'value-mismatch', { value: '0x' }],
  ])('is refused: %s', async (_, reason, fields) => {
    change('transaction', fields)
    await expectRejected(reason)
  })

  it('leaves the build free for the one that is', async () => {
    change('transaction', { input: '0x' })
    await expectRejected('calldata-mismatch')
    world.chain.state.transaction = { ...executed(world.build, 20).transaction, hash: OTHER_HASH }
    world.chain.state.receipt = { ...executed(world.build, 20).receipt, transactionHash: OTHER_HASH }
    expect(await confirm({ txHash: OTHER_HASH })).toEqual(reported)
  })
})

describe('a build that the caller cannot claim', () => {
  it.each<[string, () => { buildId?: string; caller?: KeyRecord }]>([
    ['an unknown build', () => ({ buildId: '00000000-0000-4000-8000-000000000000' })],
    ['the build of another key', () => ({ caller: foreigner })],
    ['any build, with the legacy shared key', () => ({ caller: { ...key, kind: 'legacy' } })],
  ])('is not found, without a look at the chain: %s', async (_, request) => {
    await expect(confirm(request())).rejects.toBeInstanceOf(BuildNotFoundError)
    expect(world.chain.trips).toEqual([])
  })
})

describe('what is attributed elsewhere', () => {
  it('is a build that another transaction has, without a look at the chain', async () => {
    await world.store.recordAttribution(attributionOf(world.build, 'earlier'))
    await expect(confirm()).rejects.toMatchObject({ name: 'AlreadyAttributedError', taken: 'build' })
    expect(world.chain.trips).toEqual([])
  })

  it('is a transaction that another build has, without a look at the chain', async () => {
    const twin = buildOf(foreigner, 'twin', { valueRaw: world.build.valueRaw })
    await world.store.insertBuild(twin)
    expect(await confirm({ buildId: twin.buildId, caller: foreigner })).toEqual(reported)
    const trips = world.chain.trips.length
    await expect(confirm()).rejects.toMatchObject({ name: 'AlreadyAttributedError', taken: 'transaction' })
    expect(world.chain.trips).toHaveLength(trips)
  })

  it('is decided by the store when two builds claim one transaction at once', async () => {
    const twin = buildOf(foreigner, 'twin', { valueRaw: world.build.valueRaw })
    await world.store.insertBuild(twin)
    const outcomes = await Promise.allSettled([
      confirm(),
      confirm({ buildId: twin.buildId, caller: foreigner }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const loser = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(loser?.reason).toBeInstanceOf(AlreadyAttributedError)
  })
})
