import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { type AnvilNode, BASE_FEE_WEI, startAnvil } from '../../sandbox/anvil.ts'
import { createChain, type SandboxChain } from '../../sandbox/chain.ts'
import { chainSettings } from '../../sandbox/reset.ts'
import { createRpc, type Rpc } from '../../sandbox/rpc.ts'
import { createWallet, type SignedTransaction, type Wallet } from '../../sandbox/wallet.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import type { Chain, Store } from '../ports.ts'
import type { Build } from '../records.ts'
import { openStore } from '../store/openStore.ts'
import { buildOf, keyRecord } from '../store/testing/records.ts'
import { createHttpChain, type HttpChain } from '../system/chain.ts'
import { createConfirmer } from './confirmer.ts'

// Runs confirm against a real node that really reorganises. A plain transaction replaces the swap: confirm does not interpret
// it.

const key = keyRecord('reorg')
const swap = { to: ACCOUNTS.carol.address, value: 5n, data: '0xabcdef0123', gas: 50_000n } as const
const recorded = { recorded: true, alreadyRecorded: false }

let node: AnvilNode
let rpc: Rpc
let chain: SandboxChain
let line: HttpChain
let alice: Wallet
let store: Store
let build: Build
let startS: number

beforeAll(async () => {
  node = await startAnvil()
  rpc = createRpc({ url: node.url, ended: node.ended })
  await rpc.batch(chainSettings(BASE_FEE_WEI))
  chain = createChain(rpc, 0n)
  line = createHttpChain(node.url)
  alice = createWallet(rpc, chain, ACCOUNTS.alice.privateKey)
})
afterAll(async () => {
  line?.close()
  rpc?.close()
  await node?.stop()
})

beforeEach(async () => {
  store = await openStore({ url: ':memory:' })
  await store.insertKey(key)
  startS = (await chain.mine()).timestampS
  build = await save('swap')
})
afterEach(() => store.close())

async function save(label: string, target: Hex = swap.to): Promise<Build> {
  const saved = buildOf(key, label, {
    sender: ACCOUNTS.alice.address,
    target,
    calldata: swap.data,
    valueRaw: swap.value,
    createdAtMs: startS * 1000,
    validUntilMs: startS * 1000 + DEFAULT_POLICY.attributionWindowMs,
  })
  await store.insertBuild(saved)
  return saved
}

function confirm(txHash: Hex, of: Build = build, through: Chain = line) {
  const log = { info() {}, warn() {}, error() {} }
  const clock = { nowMs: () => startS * 1000, monotonicMs: () => 0, after: () => () => {} }
  const confirmer = createConfirmer({ policy: DEFAULT_POLICY, clock, chain: through, store, log })
  return confirmer.confirm({ buildId: of.buildId, txHash }, key)
}

/** Sends the swap and mines blocks until it has this many confirmations. */
async function bury(confirmations: number): Promise<SignedTransaction> {
  const signed = await alice.send(swap)
  await chain.mine(confirmations)
  return signed
}

const waiting = (reason: string) => ({ pending: expect.objectContaining({ reason }) })

describe('a report of a transaction on a real node', () => {
  it('waits from the pool to the eleventh confirmation and is credited at the twelfth', async () => {
    const signed = await alice.sign(swap)
    expect(await confirm(signed.hash)).toEqual(waiting('transaction-not-found'))
    await chain.sendRaw(signed.rawTransaction)
    expect(await confirm(signed.hash)).toEqual(waiting('pending'))
    for (let confirmations = 1; confirmations <= 11; confirmations++) {
      await chain.mine()
      expect(await confirm(signed.hash)).toMatchObject({
        pending: { reason: 'too-few-confirmations', confirmations },
      })
    }
    await chain.mine()
    expect(await confirm(signed.hash)).toEqual(recorded)
    expect(await confirm(signed.hash)).toEqual({ recorded: true, alreadyRecorded: true })
  })

  it('waits when a reorganisation orphans the transaction, and is credited in its new block', async () => {
    const signed = await bury(12)
    const { removedTransactions } = await chain.reorg({ depth: 12 })
    expect(await confirm(signed.hash)).toEqual(waiting('transaction-not-found'))
    await chain.resubmit(removedTransactions)
    const block = await chain.mine()
    await chain.mine(11)
    expect(await confirm(signed.hash)).toEqual(recorded)
    expect(await store.findAttributionByTransaction(signed.hash)).toMatchObject({
      blockNumber: block.number,
      blockHash: block.hash,
    })
  })

  it('counts again from the new block when a reorganisation moves the transaction to a later one', async () => {
    const { hash, rawTransaction } = await bury(12)
    await chain.reorg({ depth: 12, include: [{ rawTransaction, blockOffset: 3 }] })
    expect(await confirm(hash)).toMatchObject({
      pending: { reason: 'too-few-confirmations', confirmations: 9 },
    })
    await chain.mine(3)
    expect(await confirm(hash)).toEqual(recorded)
  })

  it('is refused when a reorganisation moves the transaction past its window', async () => {
    const { hash, rawTransaction } = await bury(12)
    const lateS = startS + DEFAULT_POLICY.attributionWindowMs / 1000 + 1
    const timestampsS = Array.from({ length: 12 }, (_, index) => lateS + index)
    await chain.reorg({ depth: 12, include: [{ rawTransaction, blockOffset: 0 }], timestampsS })
    await expect(confirm(hash)).rejects.toMatchObject({ reason: 'after-window' })
  })

  it('waits when the chain is reorganised between the judgement and the record', async () => {
    const signed = await bury(15)
    let trips = 0
    const shaken: Chain = {
      async send(calls, options) {
        trips += 1
        if (trips === 3) await chain.reorg({ depth: 15 })
        return line.send(calls, options)
      },
    }
    expect(await confirm(signed.hash, build, shaken)).toEqual(waiting('block-changed'))
    expect(await store.findAttributionByBuild(build.buildId)).toBeNull()
  })

  it.each([0, 1, 2])(
    'repeats what another request recorded before its look number %i, whatever the chain did since',
    async (look) => {
      const signed = await bury(15)
      let trips = 0
      const shaken: Chain = {
        async send(calls, options) {
          if (trips === look) {
            expect(await confirm(signed.hash)).toEqual(recorded)
            await chain.reorg({ depth: 15 })
          }
          trips += 1
          return line.send(calls, options)
        },
      }
      expect(await confirm(signed.hash, build, shaken)).toEqual({ recorded: true, alreadyRecorded: true })
    },
  )

  it('credits a replacement that still matches, and never what it replaced', async () => {
    const first = await alice.send(swap)
    const second = await alice.sign({
      ...swap,
      nonce: first.nonce,
      maxFeePerGas: 4_000_000_000n,
      maxPriorityFeePerGas: 2_000_000_000n,
    })
    await chain.replaceTransaction(first.hash, second.rawTransaction)
    await chain.mine(12)
    expect(await confirm(first.hash)).toEqual(waiting('transaction-not-found'))
    expect(await confirm(second.hash)).toEqual(recorded)
  })

  it('credits each of two identical transactions to one of two identical builds', async () => {
    const twin = await save('twin')
    const [one, two] = [await alice.send(swap), await alice.send(swap)]
    await chain.mine(12)
    expect(await confirm(one.hash)).toEqual(recorded)
    await expect(confirm(one.hash, twin)).rejects.toMatchObject({ taken: 'transaction' })
    await expect(confirm(two.hash)).rejects.toMatchObject({ taken: 'build' })
    expect(await confirm(two.hash, twin)).toEqual(recorded)
  })

  it('refuses a transaction that reverted, once it is deep enough', async () => {
    const contract = '0x00000000000000000000000000000000000c0de5'
    await rpc.request('anvil_setCode', [contract, '0x60006000fd'])
    const failing = await save('failing', contract)
    const { hash } = await alice.send({ ...swap, to: contract })
    await chain.mine(11)
    expect(await confirm(hash, failing)).toEqual(waiting('too-few-confirmations'))
    await chain.mine()
    await expect(confirm(hash, failing)).rejects.toMatchObject({ reason: 'reverted' })
  })
})
