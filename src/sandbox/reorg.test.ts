import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { GENESIS_TIMESTAMP_S } from './anvil.ts'
import { DEEPEST_REORG } from './chain.ts'
import { ChainError } from './chainError.ts'
import { useBareChain } from './testing/useBareChain.ts'
import { createWallet, type Wallet } from './wallet.ts'

const bare = useBareChain()
let alice: Wallet
let bob: Wallet
beforeAll(() => {
  alice = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
  bob = createWallet(bare.rpc, bare.chain, ACCOUNTS.bob.privateKey)
})

const transfer = { to: ACCOUNTS.carol.address, value: 1n, gas: 21_000n } as const
describe('a reorganisation', () => {
  it('replaces the newest blocks by others of the same heights and times, with other hashes', async () => {
    await bare.chain.mine(2)
    await bare.chain.mineAt(GENESIS_TIMESTAMP_S + 100)
    await bare.chain.mine(2)
    const { ancestor, removedBlocks, newBlocks } = await bare.chain.reorg({ depth: 3 })
    expect(ancestor.number).toBe(2n)
    expect(newBlocks.map((block) => block.number)).toEqual([3n, 4n, 5n])
    expect(newBlocks.map((block) => block.timestampS - GENESIS_TIMESTAMP_S)).toEqual([100, 101, 102])
    expect(newBlocks[0]?.parentHash).toBe(ancestor.hash)
    const hashes = [...removedBlocks, ...newBlocks].map((block) => block.hash)
    expect(new Set(hashes).size).toBe(6)
    expect(await bare.chain.head()).toEqual(newBlocks[2])
    expect(await bare.chain.block(3n)).toEqual(newBlocks[0])
  })

  it('gives every branch different hashes', async () => {
    const original = await bare.chain.mine()
    const second = await bare.chain.reorg({ depth: 1 })
    const third = await bare.chain.reorg({ depth: 1 })
    const hashes = [original.hash, second.newBlocks[0]?.hash, third.newBlocks[0]?.hash]
    expect(new Set(hashes).size).toBe(3)
  })

  it('removes transactions from the chain without returning them to the pool', async () => {
    const sent = await alice.send(transfer)
    await bare.chain.mine()
    const { removedTransactions } = await bare.chain.reorg({ depth: 1 })
    expect(removedTransactions).toEqual([
      { hash: sent.hash, rawTransaction: sent.rawTransaction, blockNumber: 1n },
    ])
    expect(await bare.chain.receipt(sent.hash)).toBeNull()
    expect(await bare.rpc.request('eth_getTransactionByHash', [sent.hash])).toBeNull()
    expect(await bare.chain.pool()).toEqual([])
    expect(await alice.nonce()).toBe(0)
  })

  it('allows removed transactions to be sent again and mined under another block hash', async () => {
    const [first, second] = [await alice.send(transfer), await alice.send(transfer)]
    const old = await bare.chain.mine()
    const { removedTransactions } = await bare.chain.reorg({ depth: 1 })
    await bare.chain.resubmit(removedTransactions)
    const block = await bare.chain.mine()
    expect(block.transactions).toEqual([first.hash, second.hash])
    const receipt = await bare.chain.receipt(second.hash)
    expect(receipt).toMatchObject({ blockNumber: 2n, blockHash: block.hash })
    expect(receipt?.blockHash).not.toBe(old.hash)
  })

  it('mines given transactions in the new blocks meant for them', async () => {
    const [first, second] = [await alice.send(transfer), await alice.send(transfer)]
    await bare.chain.mine(3)
    const { newBlocks } = await bare.chain.reorg({
      depth: 3,
      include: [
        { rawTransaction: second.rawTransaction, blockOffset: 2 },
        { rawTransaction: first.rawTransaction, blockOffset: 1 },
      ],
    })
    expect(newBlocks.map((block) => block.transactions)).toEqual([[], [first.hash], [second.hash]])
    expect(await bare.chain.receipt(second.hash)).toMatchObject({ success: true, blockNumber: 3n })
  })

  it('keeps a transaction at the same height under another hash', async () => {
    const sent = await alice.send(transfer)
    const old = await bare.chain.mine()
    await bare.chain.mine(5)
    const include = [{ rawTransaction: sent.rawTransaction, blockOffset: 0 }]
    await bare.chain.reorg({ depth: 6, include })
    const receipt = await bare.chain.receipt(sent.hash)
    expect(receipt?.blockNumber).toBe(old.number)
    expect(receipt?.blockHash).not.toBe(old.hash)
  })

  it('takes the times it is given, and as many blocks as times', async () => {
    await bare.chain.mine(2)
    const timestampsS = [5, 5, 900].map((offset) => GENESIS_TIMESTAMP_S + offset)
    const { newBlocks } = await bare.chain.reorg({ depth: 1, timestampsS })
    expect(newBlocks.map((block) => block.timestampS)).toEqual(timestampsS)
    expect((await bare.chain.mine()).timestampS).toBe(GENESIS_TIMESTAMP_S + 901)
  })

  it('may leave a longer or a shorter branch', async () => {
    await bare.chain.mine(4)
    const longer = await bare.chain.reorg({ depth: 2, newBlocks: 4 })
    expect(longer.newBlocks.map((block) => block.timestampS - GENESIS_TIMESTAMP_S)).toEqual([3, 4, 5, 6])
    const shorter = await bare.chain.reorg({ depth: 3, newBlocks: 1 })
    expect(shorter.newBlocks[0]).toMatchObject({ number: 4n })
    expect((await bare.chain.head()).number).toBe(4n)
  })

  it('leaves the pool as it was, in its order, and out of the new blocks', async () => {
    await bare.chain.mine(2)
    const waiting = [await bob.send(transfer), await alice.send(transfer), await bob.send(transfer)]
    const { newBlocks } = await bare.chain.reorg({ depth: 2 })
    expect(newBlocks.flatMap((block) => block.transactions)).toEqual([])
    expect((await bare.chain.mine()).transactions).toEqual(waiting.map(({ hash }) => hash))
  })

  it('removes transactions from the pool that the new branch contains', async () => {
    await bare.chain.mine(1)
    const sent = await alice.send(transfer)
    await bare.chain.reorg({ depth: 1, include: [{ rawTransaction: sent.rawTransaction, blockOffset: 0 }] })
    expect(await bare.chain.pool()).toEqual([])
  })

  it('has the base fee of the blocks it replaces', async () => {
    await bare.chain.setBaseFee(8_000n)
    await bare.chain.mine(3)
    const { newBlocks } = await bare.chain.reorg({ depth: 2 })
    expect(newBlocks.map((block) => block.baseFeeWei)).toEqual([7_000n, 6_125n])
  })

  it('refuses a transaction for a block that does not exist, before anything changes', async () => {
    const head = await bare.chain.mine(2)
    const { rawTransaction } = await alice.sign(transfer)
    for (const blockOffset of [-1, 2]) {
      await expect(
        bare.chain.reorg({ depth: 2, include: [{ rawTransaction, blockOffset }] }),
      ).rejects.toBeInstanceOf(ChainError)
    }
    expect(await bare.chain.head()).toEqual(head)
  })

  it.each([
    ['times that go back', { depth: 1, timestampsS: [GENESIS_TIMESTAMP_S] }],
    ['more blocks than times', { depth: 1, newBlocks: 2, timestampsS: [GENESIS_TIMESTAMP_S + 9] }],
    ['half a block', { depth: 1, newBlocks: 0.5 }],
  ])('refuses %s', async (_, options) => {
    await bare.chain.mine(2)
    await expect(bare.chain.reorg(options)).rejects.toBeInstanceOf(ChainError)
  })

  it('says which transaction could not be mined where it was meant to be', async () => {
    await bare.chain.mine(2)
    const gap = await alice.sign({ ...transfer, nonce: 1 })
    const include = [{ rawTransaction: gap.rawTransaction, blockOffset: 1 }]
    await expect(bare.chain.reorg({ depth: 2, include })).rejects.toMatchObject({
      name: 'ChainError',
      message: `${gap.hash} could not be mined in new block 1`,
    })
  })

  it('says the same when the node refuses the transaction', async () => {
    await bare.chain.mine(1)
    const poor = createWallet(bare.rpc, bare.chain, ACCOUNTS.unfunded.privateKey)
    const { rawTransaction, hash } = await poor.sign({ ...transfer, nonce: 0 })
    await expect(
      bare.chain.reorg({ depth: 1, include: [{ rawTransaction, blockOffset: 0 }] }),
    ).rejects.toMatchObject({ name: 'ChainError', message: `${hash} could not be mined in new block 0` })
  })
})

describe('the depth', () => {
  it.each([0, -1, 1.5, 4])('refuses %s of 3 blocks', async (depth) => {
    await bare.chain.mine(3)
    const message = `cannot remove ${depth} blocks: the depth goes from 1 to 3`
    await expect(bare.chain.reorg({ depth })).rejects.toMatchObject({ name: 'ChainError', message })
  })

  it('reaches to the floor', async () => {
    await bare.chain.mine(3)
    expect((await bare.chain.reorg({ depth: 3 })).ancestor.number).toBe(0n)
  })

  it('reaches its maximum on a long chain, and no further', async () => {
    await bare.chain.mine(DEEPEST_REORG + 10)
    await expect(bare.chain.rollback(DEEPEST_REORG + 1)).rejects.toMatchObject({
      message: expect.stringContaining(`from 1 to ${DEEPEST_REORG}`),
    })
    expect((await bare.chain.rollback(DEEPEST_REORG)).ancestor.number).toBe(10n)
  })
})

describe('a rollback', () => {
  it('moves the head back without replacing the blocks', async () => {
    const sent = await alice.send(transfer)
    await bare.chain.mine(3)
    const { removedTransactions, newBlocks } = await bare.chain.rollback(3)
    expect(newBlocks).toEqual([])
    expect(removedTransactions.map(({ hash }) => hash)).toEqual([sent.hash])
    expect((await bare.chain.head()).number).toBe(0n)
  })

  it('gives the blocks mined after it other hashes', async () => {
    const old = await bare.chain.mine()
    await bare.chain.rollback(1)
    expect((await bare.chain.mine()).hash).not.toBe(old.hash)
  })
})
