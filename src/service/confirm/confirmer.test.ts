import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServicePolicy } from '../deps.ts'
import {
  AlreadyAttributedError,
  BuildNotFoundError,
  ChainUnavailableError,
  type RejectionReason,
  StoreUnavailableError,
  TransactionRejectedError,
} from '../errors.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import type { Clock, Store } from '../ports.ts'
import type { Build, KeyRecord } from '../records.ts'
import { openStore } from '../store/openStore.ts'
import { attributionOf, buildOf, keyRecord, NOW_MS } from '../store/testing/records.ts'
import { createConfirmer } from './confirmer.ts'
import { type NodeState, ScriptedChain } from './testing/scriptedChain.ts'

const TX_HASH = `0x${'c3'.repeat(32)}` as const
const OTHER_HASH = `0x${'d4'.repeat(32)}` as const
const BLOCK_HASH = `0x${'e5'.repeat(32)}`
const OTHER_BLOCK_HASH = `0x${'f6'.repeat(32)}`
const BLOCK = 1_000
const hex = (value: number | bigint) => `0x${value.toString(16)}`
/** The head that gives the block this many confirmations, its own included. */
const headAt = (confirmations: number) => hex(BLOCK + confirmations - 1)

let nowMs: number
let policy: ServicePolicy
const clock: Clock = { nowMs: () => nowMs, after: () => () => {} }
const log = { info() {}, warn() {}, error() {} }
const key = keyRecord('confirm')
const foreigner = keyRecord('foreigner')

let store: Store
let chain: ScriptedChain
let build: Build

/** A transaction of type 2 that executed the build, `confirmations` deep. */
function executed(confirmations: number): NodeState {
  return {
    chainId: '0x1237',
    head: headAt(confirmations),
    transaction: {
      hash: TX_HASH,
      type: '0x2',
      chainId: '0x1237',
      nonce: '0x5',
      from: build.sender,
      to: build.target,
      input: build.calldata,
      value: hex(build.valueRaw),
      gas: '0x5208',
      maxFeePerGas: '0x77359407',
      maxPriorityFeePerGas: '0x3b9aca00',
      accessList: [],
      blockNumber: hex(BLOCK),
      blockHash: BLOCK_HASH,
    },
    receipt: {
      transactionHash: TX_HASH,
      status: '0x1',
      blockNumber: hex(BLOCK),
      blockHash: BLOCK_HASH,
      gasUsed: '0x5208',
    },
    block: { number: hex(BLOCK), hash: BLOCK_HASH, timestamp: hex(NOW_MS / 1000 + 5) },
  }
}

const confirm = (request: { buildId?: string; txHash?: `0x${string}`; caller?: KeyRecord } = {}) =>
  createConfirmer({ policy, clock, chain, store, log }).confirm(
    { buildId: request.buildId ?? build.buildId, txHash: request.txHash ?? TX_HASH },
    request.caller ?? key,
  )

const change = (part: 'transaction' | 'receipt' | 'block', fields: Record<string, unknown>) => {
  chain.state[part] = { ...chain.state[part], ...fields }
}

const reported = { recorded: true, alreadyRecorded: false }
const pending = (reason: string, confirmations: number, retryAfterS: number) => ({
  pending: { reason, confirmations, retryAfterS },
})
async function expectNothingRecorded() {
  expect(await store.findAttributionByBuild(build.buildId)).toBeNull()
}
async function expectRejected(reason: RejectionReason) {
  const error = await confirm().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TransactionRejectedError)
  expect((error as TransactionRejectedError).reason).toBe(reason)
  await expectNothingRecorded()
}

beforeEach(async () => {
  nowMs = NOW_MS + 60_000
  policy = DEFAULT_POLICY
  store = await openStore({ url: ':memory:' })
  await store.insertKey(key)
  await store.insertKey(foreigner)
  build = buildOf(key, 'swap', { valueRaw: 10n ** 18n })
  await store.insertBuild(build)
  chain = new ScriptedChain(executed(20))
})
afterEach(() => store.close())

describe('a report that is credited', () => {
  it('is recorded with the block that carries it', async () => {
    expect(await confirm()).toEqual(reported)
    expect(await store.findAttributionByBuild(build.buildId)).toEqual({
      buildId: build.buildId,
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
    expect(chain.trips).toHaveLength(3)
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    expect(chain.trips).toHaveLength(3)
  })

  it('stays recorded when the transaction is reorganised away', async () => {
    await confirm()
    chain.state.transaction = null
    chain.state.receipt = null
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
  })

  it('is one of many that arrive at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => confirm()))
    expect(outcomes.filter((outcome) => 'recorded' in outcome && !outcome.alreadyRecorded)).toHaveLength(1)
    expect(outcomes.every((outcome) => 'recorded' in outcome)).toBe(true)
  })
})

describe('a report that meets itself', () => {
  it('is already recorded when its repetition was faster, between two reads of the store', async () => {
    const honest = store
    store = Object.create(honest, {
      findAttributionByBuild: {
        value: async (buildId: string) => {
          const found = await honest.findAttributionByBuild(buildId)
          await honest.recordAttribution({ ...attributionOf(build, 'faster'), txHash: TX_HASH })
          return found
        },
      },
      findBuild: { value: honest.findBuild.bind(honest) },
      findAttributionByTransaction: { value: honest.findAttributionByTransaction.bind(honest) },
    })
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    expect(chain.trips).toEqual([])
    store = honest
  })
})

describe('what a report may vary (§4.3 rules 1 and 5)', () => {
  it.each<[string, Record<string, unknown>]>([
    ['gas price', { maxFeePerGas: '0xffffffff', maxPriorityFeePerGas: '0x1' }],
    ['nonce', { nonce: '0xffff' }],
    ['type, a legacy transaction', { type: '0x0', gasPrice: '0x7', v: '0x2491', accessList: undefined }],
    ['type, one signed without a chain', { type: '0x0', chainId: undefined, v: '0x1b' }],
    ['type, one with a null chain', { type: '0x0', chainId: null, v: '0x1b' }],
    ['type, one that sets code', { type: '0x4', authorizationList: [{ chainId: '0x1237' }] }],
    ['access list', { accessList: [{ address: `0x${'00'.repeat(20)}`, storageKeys: [] }] }],
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
    await store.insertBuild(free)
    change('transaction', { value: zero })
    expect(await confirm({ buildId: free.buildId })).toEqual(reported)
  })

  it('the case of the hashes that the node holds', async () => {
    change('receipt', { blockHash: BLOCK_HASH.toUpperCase().replace('X', 'x') })
    expect(await confirm()).toEqual(reported)
  })
})

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
    chain.state.transaction = { ...executed(20).transaction, hash: OTHER_HASH }
    chain.state.receipt = { ...executed(20).receipt, transactionHash: OTHER_HASH }
    expect(await confirm({ txHash: OTHER_HASH })).toEqual(reported)
  })
})

describe('the depth (§4.3 rule 6)', () => {
  it.each([
    [1, 11],
    [10, 2],
    [11, 1],
  ])('%i confirmations wait for the missing blocks', async (confirmations, retryAfterS) => {
    chain.state.head = headAt(confirmations)
    expect(await confirm()).toEqual(pending('too-few-confirmations', confirmations, retryAfterS))
    expect(chain.trips).toHaveLength(1)
    await expectNothingRecorded()
  })

  it.each([12, 13])('%i confirmations are enough', async (confirmations) => {
    chain.state.head = headAt(confirmations)
    expect(await confirm()).toEqual(reported)
  })

  it('is counted from a fresh head at each look', async () => {
    chain.beforeTrip = (trip) => {
      if (trip === 2) chain.state.head = headAt(11)
    }
    expect(await confirm()).toEqual(pending('too-few-confirmations', 11, 1))
    chain.state.head = headAt(12)
    chain.beforeTrip = (trip) => {
      if (trip === 5) chain.state.head = headAt(9)
    }
    expect(await confirm()).toEqual(pending('too-few-confirmations', 9, 3))
    await expectNothingRecorded()
  })

  it('is none when the head has fallen behind the block', async () => {
    chain.state.head = hex(BLOCK - 5)
    expect(await confirm()).toEqual(pending('too-few-confirmations', 0, 12))
  })

  it.each<[string, 'transaction' | 'receipt' | 'block', Record<string, unknown>]>([
    ['a revert', 'receipt', { status: '0x0' }],
    ['a mismatch', 'transaction', { input: '0x' }],
    ['a late execution', 'block', { timestamp: hex(NOW_MS / 1000 + 5_000) }],
  ])('keeps %s undecided until it is reached', async (_, part, fields) => {
    change(part, fields)
    chain.state.head = headAt(11)
    expect(await confirm()).toEqual(pending('too-few-confirmations', 11, 1))
    chain.state.head = headAt(12)
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
    await store.insertBuild(made)
    at(NOW_MS / 1000 + offsetS)
    expect(await confirm({ buildId: made.buildId })).toEqual(reported)
  })

  it('ends with a block one second late', async () => {
    at(NOW_MS / 1000 + 1_201)
    await expectRejected('after-window')
  })

  it('ends with its millisecond, not with its second', async () => {
    const made = buildOf(key, 'uneven', { validUntilMs: NOW_MS + 1_199_999, valueRaw: 10n ** 18n })
    await store.insertBuild(made)
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
    chain.state.transaction = null
    chain.state.receipt = null
    expect(await confirm()).toEqual(pending('transaction-not-found', 0, 12))
  })

  it('is waited for while it has no receipt', async () => {
    change('transaction', { blockNumber: null, blockHash: null })
    chain.state.receipt = null
    expect(await confirm()).toEqual(pending('pending', 0, 12))
  })

  it('is waited for when another block took the height of its own', async () => {
    change('block', { hash: OTHER_BLOCK_HASH })
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
  })

  it('is waited for when the chain no longer reaches its height', async () => {
    chain.state.block = null
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
  })

  it.each<[string, () => void]>([
    ['another block takes the height', () => change('block', { hash: OTHER_BLOCK_HASH })],
    ['the block is gone', () => (chain.state.block = null)],
    ['the receipt is gone', () => (chain.state.receipt = null)],
    [
      'the transaction moved to another block',
      () => change('receipt', { blockNumber: hex(BLOCK + 1), blockHash: OTHER_BLOCK_HASH }),
    ],
  ])('is waited for when %s after it was judged and before it is recorded', async (_, reorganise) => {
    chain.beforeTrip = (trip) => {
      if (trip === 3) reorganise()
    }
    expect(await confirm()).toEqual(pending('block-changed', 0, 12))
    expect(chain.trips).toHaveLength(3)
    await expectNothingRecorded()
  })

  it('is credited to the block that carries it in the end', async () => {
    chain.state.transaction = null
    chain.state.receipt = null
    await confirm()
    chain.state.transaction = executed(20).transaction
    chain.state.receipt = { ...executed(20).receipt, blockHash: OTHER_BLOCK_HASH }
    change('block', { hash: OTHER_BLOCK_HASH, timestamp: hex(NOW_MS / 1000 + 9) })
    expect(await confirm()).toEqual(reported)
    expect(await store.findAttributionByBuild(build.buildId)).toMatchObject({
      blockHash: OTHER_BLOCK_HASH,
      blockTimestampS: NOW_MS / 1000 + 9,
    })
  })
})

describe('a build that the caller cannot claim', () => {
  it.each<[string, () => { buildId?: string; caller?: KeyRecord }]>([
    ['an unknown build', () => ({ buildId: '00000000-0000-4000-8000-000000000000' })],
    ['the build of another key', () => ({ caller: foreigner })],
    ['any build, with the legacy shared key', () => ({ caller: { ...key, kind: 'legacy' } })],
  ])('is not found, without a look at the chain: %s', async (_, request) => {
    await expect(confirm(request())).rejects.toBeInstanceOf(BuildNotFoundError)
    expect(chain.trips).toEqual([])
  })
})

describe('what is attributed elsewhere', () => {
  it('is a build that another transaction has, without a look at the chain', async () => {
    await store.recordAttribution(attributionOf(build, 'earlier'))
    await expect(confirm()).rejects.toMatchObject({ name: 'AlreadyAttributedError', taken: 'build' })
    expect(chain.trips).toEqual([])
  })

  it('is a transaction that another build has, without a look at the chain', async () => {
    const twin = buildOf(foreigner, 'twin', { valueRaw: build.valueRaw })
    await store.insertBuild(twin)
    expect(await confirm({ buildId: twin.buildId, caller: foreigner })).toEqual(reported)
    const trips = chain.trips.length
    await expect(confirm()).rejects.toMatchObject({ name: 'AlreadyAttributedError', taken: 'transaction' })
    expect(chain.trips).toHaveLength(trips)
  })

  it('is decided by the store when two builds claim one transaction at once', async () => {
    const twin = buildOf(foreigner, 'twin', { valueRaw: build.valueRaw })
    await store.insertBuild(twin)
    const outcomes = await Promise.allSettled([
      confirm(),
      confirm({ buildId: twin.buildId, caller: foreigner }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const loser = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(loser?.reason).toBeInstanceOf(AlreadyAttributedError)
  })
})

describe('a chain that cannot be read', () => {
  it.each([1, 2, 3])('is neither a verdict nor a wait when round trip %i fails', async (failing) => {
    chain.beforeTrip = (trip) => {
      if (trip === failing) throw new ChainUnavailableError('the line broke')
    }
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    expect(chain.trips).toHaveLength(failing)
    await expectNothingRecorded()
    chain.beforeTrip = () => {}
    expect(await confirm()).toEqual(reported)
  })

  const asked: [number, string][] = [
    [1, 'eth_getTransactionByHash'],
    [1, 'eth_getTransactionReceipt'],
    [1, 'eth_blockNumber'],
    [1, 'eth_chainId'],
    [2, 'eth_getBlockByNumber'],
    [2, 'eth_blockNumber'],
    [3, 'eth_getTransactionReceipt'],
    [3, 'eth_getBlockByNumber'],
    [3, 'eth_blockNumber'],
  ]
  it.each(asked)('is so when the node refuses, in round trip %i, %s', async (inTrip, method) => {
    chain.intercept = (call, trip) =>
      trip === inTrip && call.method === method
        ? { ok: false, code: -32603, message: 'internal error' }
        : undefined
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    await expectNothingRecorded()
  })
  it.each(asked)('is so when the node answers rubbish, in round trip %i, to %s', async (inTrip, method) => {
    chain.intercept = (call, trip) =>
      trip === inTrip && call.method === method ? { ok: true, result: { rubbish: true } } : undefined
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    await expectNothingRecorded()
  })

  it.each<[string, () => void]>([
    ['it serves another chain', () => (chain.state.chainId = '0x1')],
    ['the head is no quantity', () => (chain.state.head = 1_011)],
    ['the head is beyond reason', () => (chain.state.head = `0x${'f'.repeat(20)}`)],
    ['calldata has half a byte', () => change('transaction', { input: '0xdea' })],
    ['the calldata is missing', () => change('transaction', { input: undefined })],
    ['the value is decimal', () => change('transaction', { value: '1000000000000000000' })],
    ['the sender is no address', () => change('transaction', { from: '0xa1' })],
    ['the status is missing', () => change('receipt', { status: undefined })],
    ['the status is unknown', () => change('receipt', { status: '0x2' })],
    ['the timestamp is missing', () => change('block', { timestamp: undefined })],
  ])('is so when %s', async (_, spoil) => {
    spoil()
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    await expectNothingRecorded()
  })

  it.each<[string, Record<string, unknown>]>([
    ['eth_getTransactionByHash', { hash: OTHER_HASH }],
    ['eth_getTransactionReceipt', { transactionHash: OTHER_HASH }],
    ['eth_getBlockByNumber', { number: hex(BLOCK + 1) }],
  ])('is so when the answer to %s is about something else', async (method, fields) => {
    const { transaction, receipt, block } = chain.state
    const truth = {
      eth_getTransactionByHash: transaction,
      eth_getTransactionReceipt: receipt,
      eth_getBlockByNumber: block,
    }
    chain.intercept = (call) =>
      call.method === method
        ? { ok: true, result: { ...truth[method as keyof typeof truth], ...fields } }
        : undefined
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
  })

  it('is so when a round trip brings too few replies', async () => {
    const { send } = chain
    chain.send = async (calls) => (await send.call(chain, calls)).slice(0, -1)
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
  })
})

describe('a store that cannot be used', () => {
  it.each([
    'findBuild',
    'findAttributionByBuild',
    'findAttributionByTransaction',
    'recordAttribution',
  ] as const)('is neither a verdict nor a wait when %s fails', async (method) => {
    const honest = store
    store = new Proxy(honest, {
      get(target, property) {
        if (property === method) return async () => Promise.reject(new StoreUnavailableError('it is away'))
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(confirm()).rejects.toBeInstanceOf(StoreUnavailableError)
    store = honest
    await expectNothingRecorded()
    expect(await confirm()).toEqual(reported)
  })
})

describe('a report long after its window', () => {
  const RETENTION_MS = 90 * 86_400_000
  beforeEach(() => {
    policy = { ...DEFAULT_POLICY, buildRetentionMs: RETENTION_MS }
  })

  it('is credited to the last moment at which the build is kept, and finds no build afterwards', async () => {
    nowMs = build.validUntilMs + RETENTION_MS + 1
    await expect(confirm()).rejects.toBeInstanceOf(BuildNotFoundError)
    await expectNothingRecorded()
    nowMs = build.validUntilMs + RETENTION_MS
    expect(await confirm()).toEqual(reported)
  })

  it('is still known when it was recorded in time', async () => {
    await confirm()
    nowMs = build.validUntilMs + 10 * RETENTION_MS
    expect(await confirm()).toEqual({ recorded: true, alreadyRecorded: true })
    await expect(confirm({ txHash: OTHER_HASH })).rejects.toBeInstanceOf(AlreadyAttributedError)
  })

  it('is credited whenever it comes where builds are kept for ever', async () => {
    policy = DEFAULT_POLICY
    nowMs = build.validUntilMs + 100 * RETENTION_MS
    expect(await confirm()).toEqual(reported)
  })
})
