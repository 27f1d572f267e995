import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { bumped } from './pool.ts'
import { useBareChain } from './testing/useBareChain.ts'
import { createWallet, type TransactionRequest, type Wallet } from './wallet.ts'

const NOT_POOLED = { name: 'ChainError', message: expect.stringContaining('is not in the mempool') }
const MISMATCH = { name: 'ChainError', message: expect.stringContaining('the transaction cannot replace') }

const bare = useBareChain()
let alice: Wallet
let bob: Wallet
beforeAll(() => {
  alice = createWallet(bare.rpc, bare.chain, ACCOUNTS.alice.privateKey)
  bob = createWallet(bare.rpc, bare.chain, ACCOUNTS.bob.privateKey)
})

const GWEI = 1_000_000_000n
const transfer = (overrides: Partial<TransactionRequest> = {}): TransactionRequest => ({
  to: ACCOUNTS.carol.address,
  value: 1n,
  gas: 21_000n,
  maxFeePerGas: 10n * GWEI,
  maxPriorityFeePerGas: 2n * GWEI,
  ...overrides,
})
const places = async () => (await bare.chain.pool()).map(({ hash, place }) => [hash, place])

describe('the pool', () => {
  it('lists transactions by sender and nonce, those that cannot be mined yet included', async () => {
    const later = await alice.send(transfer({ nonce: 2 }))
    const first = await alice.send(transfer({ nonce: 0 }))
    const other = await bob.send(transfer())
    // Alice's address sorts after Bob's.
    expect(await bare.chain.pool()).toEqual([
      {
        hash: other.hash,
        from: bob.address.toLowerCase(),
        nonce: 0,
        maxFeePerGas: 10n * GWEI,
        maxPriorityFeePerGas: 2n * GWEI,
        place: 'pending',
      },
      expect.objectContaining({ hash: first.hash, nonce: 0, place: 'pending' }),
      expect.objectContaining({ hash: later.hash, nonce: 2, place: 'queued' }),
    ])
  })

  it('drops a transaction: it is never mined, and its nonce is free again', async () => {
    const { hash } = await alice.send(transfer())
    await bare.chain.drop(hash)
    expect(await bare.chain.pool()).toEqual([])
    expect((await bare.chain.mine()).transactions).toEqual([])
    expect(await alice.nonce()).toBe(0)
    expect(await bare.rpc.request('eth_getTransactionByHash', [hash])).toBeNull()
  })

  it('keeps later transactions of the same sender, behind the gap', async () => {
    const first = await alice.send(transfer())
    const second = await alice.send(transfer())
    const others = await bob.send(transfer())
    await bare.chain.drop(first.hash)
    expect(await places()).toEqual([
      [others.hash, 'pending'],
      [second.hash, 'queued'],
    ])
  })

  it('drops a queued transaction', async () => {
    const { hash } = await alice.send(transfer({ nonce: 5 }))
    await bare.chain.drop(hash)
    expect(await bare.chain.pool()).toEqual([])
  })

  it('drops everything', async () => {
    await alice.send(transfer())
    await bob.send(transfer({ nonce: 3 }))
    await bare.chain.dropAll()
    expect(await bare.chain.pool()).toEqual([])
  })

  it('refuses to drop what is mined, or was never sent', async () => {
    const { hash } = await alice.send(transfer())
    await bare.chain.mine()
    await expect(bare.chain.drop(hash)).rejects.toMatchObject(NOT_POOLED)
    const never = await alice.sign(transfer())
    await expect(bare.chain.drop(never.hash)).rejects.toMatchObject(NOT_POOLED)
  })
})

describe('replacing', () => {
  it('takes the place of the waiting transaction', async () => {
    const old = await alice.send(transfer())
    const dearer = await alice.sign(
      transfer({ nonce: 0, value: 2n, maxFeePerGas: 11n * GWEI, maxPriorityFeePerGas: 2_200_000_000n }),
    )
    expect(await bare.chain.replaceTransaction(old.hash, dearer.rawTransaction)).toBe(dearer.hash)
    expect(await places()).toEqual([[dearer.hash, 'pending']])
    expect((await bare.chain.mine()).transactions).toEqual([dearer.hash])
    expect(await bare.chain.receipt(old.hash)).toBeNull()
  })

  it('keeps the transactions that follow the replaced one', async () => {
    const old = await alice.send(transfer())
    const next = await alice.send(transfer())
    const dearer = await alice.sign(
      transfer({ nonce: 0, maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 4n * GWEI }),
    )
    await bare.chain.replaceTransaction(old.hash, dearer.rawTransaction)
    expect((await bare.chain.mine()).transactions).toEqual([dearer.hash, next.hash])
  })

  it('replaces a queued transaction too', async () => {
    const old = await alice.send(transfer({ nonce: 1 }))
    const dearer = await alice.sign(
      transfer({ nonce: 1, maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 4n * GWEI }),
    )
    await bare.chain.replaceTransaction(old.hash, dearer.rawTransaction)
    expect(await places()).toEqual([[dearer.hash, 'queued']])
  })

  it.each([
    ['maxFeePerGas', { maxFeePerGas: 11n * GWEI - 1n, maxPriorityFeePerGas: 3n * GWEI }, 11n * GWEI],
    [
      'maxPriorityFeePerGas',
      { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2_199_999_999n },
      2_200_000_000n,
    ],
  ] as const)('requires a tenth more of %s', async (field, fees, requiredWei) => {
    const old = await alice.send(transfer())
    const { rawTransaction } = await alice.sign(transfer({ nonce: 0, ...fees }))
    const message = `replacement underpriced: ${field} is ${fees[field]} wei and must be at least ${requiredWei}`
    await expect(bare.chain.replaceTransaction(old.hash, rawTransaction)).rejects.toMatchObject({
      name: 'ChainError',
      message,
    })
    expect(await places()).toEqual([[old.hash, 'pending']])
  })

  it('requires the same sender and nonce', async () => {
    const old = await alice.send(transfer())
    const dear = { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 4n * GWEI }
    const others = await bob.sign(transfer(dear))
    const next = await alice.sign(transfer({ nonce: 1, ...dear }))
    for (const { rawTransaction } of [others, next]) {
      await expect(bare.chain.replaceTransaction(old.hash, rawTransaction)).rejects.toMatchObject(MISMATCH)
    }
  })

  it('replaces nothing that is mined', async () => {
    const old = await alice.send(transfer())
    await bare.chain.mine()
    const { rawTransaction } = await alice.sign(transfer({ nonce: 0, maxFeePerGas: 20n * GWEI }))
    await expect(bare.chain.replaceTransaction(old.hash, rawTransaction)).rejects.toMatchObject(NOT_POOLED)
  })

  it('cancels by a transaction that moves nothing', async () => {
    const old = await alice.send(transfer({ value: 5n }))
    const before = BigInt(
      await bare.rpc.request<string>('eth_getBalance', [ACCOUNTS.carol.address, 'latest']),
    )
    const cancelled = await alice.cancel(old.hash)
    expect((await bare.chain.mine()).transactions).toEqual([cancelled.hash])
    const after = BigInt(await bare.rpc.request<string>('eth_getBalance', [ACCOUNTS.carol.address, 'latest']))
    expect(after).toBe(before)
    expect(await alice.nonce()).toBe(1)
  })

  it('does not cancel a transaction of another account', async () => {
    const { hash } = await alice.send(transfer())
    await expect(bob.cancel(hash)).rejects.toMatchObject(MISMATCH)
  })
})

it.each([
  [0n, 1n],
  [1n, 2n],
  [9n, 10n],
  [10n, 11n],
  [19n, 20n],
  [100n, 110n],
  [101n, 111n],
])('the fee that replaces %s wei is %s', (feeWei, expected) => {
  expect(bumped(feeWei)).toBe(expected)
})
