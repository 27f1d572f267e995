import { beforeEach, describe, expect, it } from 'vitest'
import { AlreadyAttributedError, BuildNotFoundError } from '../errors.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import { attributionOf, buildOf, NOW_MS } from '../store/testing/records.ts'
import {
  BLOCK,
  BLOCK_HASH,
  key,
  OTHER_HASH,
  reported,
  TX_HASH,
  useConfirmer,
} from './testing/useConfirmer.ts'

const { world, confirm, change, expectNothingRecorded } = useConfirmer()

describe('a report that is credited', () => {
  it('is recorded with the block that carries it', async () => {
    expect(await confirm()).toEqual(reported)
    expect(await world.store.findAttributionByBuild(world.build.buildId)).toEqual({
      buildId: world.build.buildId,
      keyId: key.keyId,
      txHash: TX_HASH,
      blockNumber: BigInt(BLOCK),
      blockHash: BLOCK_HASH,
      blockTimestampS: NOW_MS / 1000 + 5,
      confirmedAtMs: NOW_MS + 60_000,
    })
  })

  it('costs three round trips, and its repetition none', async () => {
    await confirm()
    expect(world.chain.trips).toHaveLength(3)
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    expect(world.chain.trips).toHaveLength(3)
  })

  it('is one of many that arrive at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => confirm()))
    expect(outcomes.filter((outcome) => 'recorded' in outcome && !outcome.alreadyRecorded)).toHaveLength(1)
    expect(outcomes.every((outcome) => 'recorded' in outcome)).toBe(true)
  })
})

describe('a report that meets itself', () => {
  it('is already recorded when its repetition was faster, between two reads of the store', async () => {
    const honest = world.store
    world.store = Object.create(honest, {
      findAttributionByBuild: {
        value: async (buildId: string) => {
          const found = await honest.findAttributionByBuild(buildId)
          await honest.recordAttribution({ ...attributionOf(world.build, 'faster'), txHash: TX_HASH })
          return found
        },
      },
      findBuild: { value: honest.findBuild.bind(honest) },
      findAttributionByTransaction: { value: honest.findAttributionByTransaction.bind(honest) },
    })
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    expect(world.chain.trips).toEqual([])
    world.store = honest
  })

  it.each([1, 2, 3])(
    'is already recorded when its repetition was faster, before round trip %i',
    async (look) => {
      const { send } = world.chain
      let trips = 0
      world.chain.send = async (calls) => {
        trips += 1
        if (trips === look) {
          await world.store.recordAttribution(attributionOf(world.build, 'faster', { txHash: TX_HASH }))
          Object.assign(world.chain.state, { transaction: null, receipt: null, block: null })
        }
        return send.call(world.chain, calls)
      }
      expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    },
  )
})

describe('what a report may vary (§4.3 rules 1 and 5)', () => {
  it.each<[string, Record<string, unknown>]>([
    ['type, one signed without a chain', { type: '0x0', chainId: undefined, v: '0x1b' }],
    ['type, one with a null chain', { type: '0x0', chainId: null, v: '0x1b' }],
    ['type, one that sets code', { type: '0x4', authorizationList: [{ chainId: '0x1237' }] }],
    ['padding of the value', { value: '0x0000de0b6b3a7640000' }],
    ['padding of the chain id', { chainId: '0x01237' }],
    ['case of the sender', { from: `0x${'A1'.repeat(20)}` }],
    ['case of the target', { to: `0x${'B2'.repeat(20)}` }],
    ['case of the calldata', { input: `0xDEADBEEF${'00FF'.repeat(16)}` }],
  ])('%s', async (_, fields) => {
    change('transaction', fields)
    expect(await confirm()).toEqual(reported)
  })

  it.each(['0x0', '0x', '0x00', '0x0000'])('the way zero is written: %s', async (zero) => {
    const free = buildOf(key, 'free', { valueRaw: 0n })
    await world.store.insertBuild(free)
    change('transaction', { value: zero })
    expect(await confirm({ buildId: free.buildId })).toEqual(reported)
  })

  it('the case of the hashes that the node holds', async () => {
    change('receipt', { blockHash: BLOCK_HASH.toUpperCase().replace('X', 'x') })
    expect(await confirm()).toEqual(reported)
  })
})

describe('a report long after its window', () => {
  const RETENTION_MS = 90 * 86_400_000
  beforeEach(() => {
    world.policy = { ...DEFAULT_POLICY, buildRetentionMs: RETENTION_MS }
  })

  it('is credited to the last moment at which the build is kept, and finds no build afterwards', async () => {
    world.nowMs = world.build.validUntilMs + RETENTION_MS + 1
    await expect(confirm()).rejects.toBeInstanceOf(BuildNotFoundError)
    await expectNothingRecorded()
    world.nowMs = world.build.validUntilMs + RETENTION_MS
    expect(await confirm()).toEqual(reported)
  })

  it('is still known when it was recorded in time', async () => {
    await confirm()
    world.nowMs = world.build.validUntilMs + 10 * RETENTION_MS
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    await expect(confirm({ txHash: OTHER_HASH })).rejects.toBeInstanceOf(AlreadyAttributedError)
  })

  it('is credited whenever it comes where builds are kept for ever', async () => {
    world.policy = DEFAULT_POLICY
    world.nowMs = world.build.validUntilMs + 100 * RETENTION_MS
    expect(await confirm()).toEqual(reported)
  })
})
