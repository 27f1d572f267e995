import { afterEach, beforeEach, expect } from 'vitest'
import type { ServicePolicy } from '../../deps.ts'
import { type RejectionReason, TransactionRejectedError } from '../../errors.ts'
import { DEFAULT_POLICY } from '../../policy.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Build, KeyRecord } from '../../records.ts'
import { openStore } from '../../store/openStore.ts'
import { buildOf, keyRecord, NOW_MS } from '../../store/testing/records.ts'
import { createConfirmer } from '../confirmer.ts'
import { type NodeState, ScriptedChain } from './scriptedChain.ts'

export const TX_HASH = `0x${'c3'.repeat(32)}` as const
export const OTHER_HASH = `0x${'d4'.repeat(32)}` as const
export const BLOCK_HASH = `0x${'e5'.repeat(32)}`
export const OTHER_BLOCK_HASH = `0x${'f6'.repeat(32)}`
export const BLOCK = 1_000
export const hex = (value: number | bigint) => `0x${value.toString(16)}`
/** Returns the head at which the block has this many confirmations, its own included. */
export const headAt = (confirmations: number) => hex(BLOCK + confirmations - 1)

export const key = keyRecord('confirm')
export const foreigner = keyRecord('foreigner')

export const reported = { recorded: true, alreadyRecorded: false }
export const pending = (reason: string, confirmations: number, retryAfterS: number) => ({
  pending: { reason, confirmations, retryAfterS },
})

/** Returns a transaction of type 2 that executed the build, `confirmations` deep. */
export function executed(
  build: Pick<Build, 'sender' | 'target' | 'calldata' | 'valueRaw'>,
  confirmations: number,
): NodeState {
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

/** The environment of a confirmer. Tests change it before they report. */
interface World {
  nowMs: number
  policy: ServicePolicy
  /** Holds both keys and the build. */
  store: Store
  /** Its transaction executed the build and is deep enough to be credited. */
  chain: ScriptedChain
  /** Created with `key`. */
  build: Build
}

async function createWorld(): Promise<World> {
  const store = await openStore({ url: ':memory:' })
  await store.insertKey(key)
  await store.insertKey(foreigner)
  const build = buildOf(key, 'swap', { valueRaw: 10n ** 18n })
  await store.insertBuild(build)
  const chain = new ScriptedChain(executed(build, 20))
  return { nowMs: NOW_MS + 60_000, policy: DEFAULT_POLICY, store, chain, build }
}

/** Gives each test of a file its own environment and the functions that report, change it and read it. */
export function useConfirmer() {
  const world = {} as World
  beforeEach(async () => {
    Object.assign(world, await createWorld())
  })
  afterEach(() => world.store.close())

  const clock: Clock = { nowMs: () => world.nowMs, monotonicMs: () => 0, after: () => () => {} }
  const log = { info() {}, warn() {}, error() {} }

  /** Reports the transaction for the build as `key`, unless the test overrides them. */
  const confirm = (request: { buildId?: string; txHash?: `0x${string}`; caller?: KeyRecord } = {}) => {
    const { policy, chain, store, build } = world
    return createConfirmer({ policy, clock, chain, store, log }).confirm(
      { buildId: request.buildId ?? build.buildId, txHash: request.txHash ?? TX_HASH },
      request.caller ?? key,
    )
  }
  const change = (part: 'transaction' | 'receipt' | 'block', fields: Record<string, unknown>) => {
    const { state } = world.chain
    state[part] = { ...state[part], ...fields }
  }
  async function expectNothingRecorded() {
    expect(await world.store.findAttributionByBuild(world.build.buildId)).toBeNull()
  }
  async function expectRejected(reason: RejectionReason) {
    const error = await confirm().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TransactionRejectedError)
    expect((error as TransactionRejectedError).reason).toBe(reason)
    await expectNothingRecorded()
  }
  return { world, confirm, change, expectNothingRecorded, expectRejected }
}
