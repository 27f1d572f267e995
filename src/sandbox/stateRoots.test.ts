import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { ChainError } from './chainError.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { useSandbox } from './testing/useSandbox.ts'

const rooted = useSandbox()
let bare: Sandbox
beforeAll(async () => {
  bare = await startSandbox({ stateRoots: false })
})
afterAll(() => bare.stop())
beforeEach(() => bare.reset())

const NO_ROOT = `0x${'0'.repeat(64)}`

/** Returns blocks, results and balances of the same calls, without roots and hashes. */
async function observe({ chain, rpc, base, manifest, wallet }: Sandbox): Promise<unknown> {
  const alice = wallet('alice')
  const sent = [
    await alice.sendApproval(manifest.weth, manifest.settlement.address, 10n ** 18n),
    await alice.sendPermit2Approval(manifest.weth, 10n ** 18n),
    await alice.send({ to: '0x00000000000000000000000000000000005ca1ab', value: 3n, gas: 21_000n }),
  ]
  const mined = [base, await chain.mine(), await chain.mine(3, base.timestampS + 900)]
  sent.push(
    await alice.sendPermit({ token: manifest.weth, spender: manifest.settlement.address, amountRaw: 1n }),
  )
  mined.push(await chain.mine(2))
  const { ancestor, newBlocks } = await chain.reorg({ depth: 4, newBlocks: 5 })
  const receipts = await Promise.all(sent.map(({ hash }) => chain.receipt(hash)))
  return {
    blocks: [...mined, ancestor, ...newBlocks].map(({ number, timestampS, baseFeeWei, transactions }) => ({
      number,
      timestampS,
      baseFeeWei,
      transactions,
    })),
    receipts: receipts.map((receipt) => receipt && { ...receipt, blockHash: null }),
    balance: await rpc.request('eth_getBalance', [alice.address, 'latest']),
    before: await rpc.request('eth_getBalance', [alice.address, '0x2']),
    nonce: await alice.nonce(),
    unknown: await rpc.request('eth_getTransactionByHash', [NO_ROOT]),
  }
}

/** Returns Alice's WETH allowance for the settlement. */
async function allowance({ manifest, rpc }: Sandbox): Promise<bigint> {
  const args = [ACCOUNTS.alice.address, manifest.settlement.address] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
  return BigInt(await rpc.request<Hex>('eth_call', [{ to: manifest.weth, data }, 'latest']))
}

describe('a sandbox without state roots', () => {
  it('differs from one with roots in roots and hashes only', async () => {
    expect(bare.base.stateRoot).toBe(NO_ROOT)
    expect({ ...bare.manifest, rpcUrl: '' }).toEqual({ ...rooted.manifest, rpcUrl: '' })
    expect(await observe(bare)).toEqual(await observe(rooted))
  })

  it('gives the same blocks after a reset', async () => {
    const first = [await observe(bare), await bare.chain.head()]
    await bare.reset()
    expect([await observe(bare), await bare.chain.head()]).toEqual(first)
  })

  it('undoes in a reorganisation values that the removed blocks were the first to write', async () => {
    const { chain, manifest } = bare
    const alice = bare.wallet('alice')
    await alice.send({ to: ACCOUNTS.bob.address, value: 1n, gas: 21_000n })
    const kept = await chain.mine(2)
    await alice.sendApproval(manifest.weth, manifest.settlement.address, 5n)
    await chain.mine()
    expect(await allowance(bare)).toBe(5n)
    const { ancestor } = await chain.reorg({ depth: 1 })
    expect(ancestor).toEqual(kept)
    expect(await chain.block(kept.number)).toEqual(kept)
    expect([await allowance(bare), await alice.nonce()]).toEqual([0n, 1])
  })

  it('mines the blocks below a reorganisation again unchanged, with any times and fees', async () => {
    const { chain, base } = bare
    const [alice, bob] = [bare.wallet('alice'), bare.wallet('bob')]
    for (const wallet of [bob, alice, bob])
      await wallet.send({ to: base.hash.slice(0, 42) as Hex, gas: 50_000n })
    await chain.setBaseFee(50_000n)
    await chain.mine(4, base.timestampS + 70)
    await chain.reorg({ depth: 1 })
    await chain.setBaseFee(7n)
    await chain.mineAt(base.timestampS + 74)
    await chain.mine(5)
    const { ancestor } = await chain.rollback(2)
    expect(await chain.head()).toEqual(ancestor)
    expect(ancestor.number).toBe(base.number + 8n)
  })

  it('throws when state was set without a block before a reorganisation', async () => {
    await bare.rpc.request('anvil_setBalance', [ACCOUNTS.unfunded.address, '0xffffffffffffffff'])
    await bare.wallet('unfunded').send({ to: ACCOUNTS.bob.address, value: 1n, gas: 21_000n })
    await bare.chain.mine(2)
    const reorg = bare.chain.reorg({ depth: 1 }).catch((thrown) => thrown)
    expect(await reorg).toBeInstanceOf(ChainError)
  })
})
