import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { GENESIS_TIMESTAMP_S } from './anvil.ts'
import { TimeGoesBackError } from './blocks.ts'
import { ChainError } from './chainError.ts'
import { useBareChain } from './testing/useBareChain.ts'
import { createWallet } from './wallet.ts'

const bare = useBareChain()

describe('mining', () => {
  it('mines nothing by itself', async () => {
    const wallet = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
    const { hash } = await wallet.send({ to: wallet.address, gas: 21_000n })
    expect((await bare.chain.head()).number).toBe(0n)
    expect(await bare.chain.receipt(hash)).toBeNull()
  })

  it('mines one block a second later', async () => {
    const block = await bare.chain.mine()
    expect(block).toEqual(await bare.chain.head())
    expect(block).toMatchObject({ number: 1n, timestampS: GENESIS_TIMESTAMP_S + 1, baseFeeWei: 7n })
  })

  it('mines many blocks, each a second after the one before, and returns the last', async () => {
    const block = await bare.chain.mine(12)
    expect(block).toMatchObject({ number: 12n, timestampS: GENESIS_TIMESTAMP_S + 12 })
    expect((await bare.chain.block(11n)).timestampS).toBe(GENESIS_TIMESTAMP_S + 11)
    expect((await bare.chain.block(11n)).hash).toBe(block.parentHash)
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses to mine %s blocks', async (count) => {
    await expect(bare.chain.mine(count)).rejects.toBeInstanceOf(ChainError)
  })

  it('refuses to read a block that is not there', async () => {
    await expect(bare.chain.block(1n)).rejects.toBeInstanceOf(ChainError)
  })

  it('takes pending transactions in the order in which they were sent', async () => {
    const [alice, bob] = [ACCOUNTS.alice, ACCOUNTS.bob].map((account) =>
      createWallet(bare.rpc, bare.chain, account.privateKey),
    ) as [ReturnType<typeof createWallet>, ReturnType<typeof createWallet>]
    const sent = [
      await bob.send({ to: bob.address, gas: 21_000n }),
      await alice.send({ to: alice.address, gas: 21_000n, maxFeePerGas: 9_000_000_000n }),
      await bob.send({ to: bob.address, gas: 21_000n }),
    ]
    expect((await bare.chain.mine()).transactions).toEqual(sent.map(({ hash }) => hash))
  })
})

describe('time', () => {
  it('is exactly the requested one, and continues from there', async () => {
    expect((await bare.chain.mineAt(GENESIS_TIMESTAMP_S + 1_000)).timestampS).toBe(
      GENESIS_TIMESTAMP_S + 1_000,
    )
    expect((await bare.chain.mine()).timestampS).toBe(GENESIS_TIMESTAMP_S + 1_001)
  })

  it('may stand still from one block to the next', async () => {
    const block = await bare.chain.mineAt(GENESIS_TIMESTAMP_S)
    expect(block).toMatchObject({ number: 1n, timestampS: GENESIS_TIMESTAMP_S })
  })

  it('never goes back', async () => {
    await expect(bare.chain.mineAt(GENESIS_TIMESTAMP_S - 1)).rejects.toMatchObject({
      name: 'TimeGoesBackError',
      headTimestampS: GENESIS_TIMESTAMP_S,
      askedTimestampS: GENESIS_TIMESTAMP_S - 1,
    })
    expect((await bare.chain.mine()).timestampS).toBe(GENESIS_TIMESTAMP_S + 1)
  })

  it('is jumped to by one block, or by none when it is that time already', async () => {
    expect((await bare.chain.jumpTo(GENESIS_TIMESTAMP_S + 60)).number).toBe(1n)
    expect((await bare.chain.jumpTo(GENESIS_TIMESTAMP_S + 60)).number).toBe(1n)
    await expect(bare.chain.jumpTo(GENESIS_TIMESTAMP_S)).rejects.toBeInstanceOf(TimeGoesBackError)
  })

  it('is the same in a call at the head and in the block that follows it', async () => {
    const pending = await bare.rpc.request<{ timestamp: string }>('eth_getBlockByNumber', ['pending', false])
    expect(Number(pending.timestamp)).toBe(GENESIS_TIMESTAMP_S + 1)
  })
})

describe('the base fee', () => {
  it('stays 7 wei over full and empty blocks', async () => {
    expect((await bare.chain.mine(40)).baseFeeWei).toBe(7n)
  })

  it('has the value set for the next block, and falls by an eighth after it', async () => {
    await bare.chain.setBaseFee(8_000n)
    expect((await bare.chain.mine()).baseFeeWei).toBe(8_000n)
    expect((await bare.chain.mine()).baseFeeWei).toBe(7_000n)
  })
})

describe('executing', () => {
  it('mines the transaction and returns its receipt', async () => {
    const wallet = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
    const { rawTransaction, hash } = await wallet.sign({ to: wallet.address, gas: 21_000n })
    const receipt = await bare.chain.execute(rawTransaction)
    const head = await bare.chain.head()
    expect(receipt).toEqual({
      hash,
      success: true,
      blockNumber: 1n,
      blockHash: head.hash,
      gasUsed: 21_000n,
      effectiveGasPriceWei: 1_000_000_007n,
    })
  })

  it('distinguishes a revert from a success', async () => {
    const wallet = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
    // PUSH1 0, PUSH1 0, REVERT.
    const to = '0x00000000000000000000000000000000000e7e17'
    await bare.rpc.request('anvil_setCode', [to, '0x60006000fd'])
    const { rawTransaction } = await wallet.sign({ to, gas: 50_000n })
    expect(await bare.chain.execute(rawTransaction)).toMatchObject({ success: false, blockNumber: 1n })
  })

  it('throws when the transaction was not mined', async () => {
    const wallet = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
    const { rawTransaction, hash } = await wallet.sign({ to: wallet.address, gas: 21_000n, nonce: 1 })
    await expect(bare.chain.execute(rawTransaction)).rejects.toMatchObject({
      name: 'ChainError',
      message: `${hash} was sent and not mined`,
    })
  })
})
