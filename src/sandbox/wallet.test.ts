import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { CANONICAL } from '../fixtures/canonical.ts'
import { MAX_UINT48, MAX_UINT160, PERMIT2_ABI } from './permit2.ts'
import { RpcError } from './rpc.ts'
import { useSandbox } from './testing/useSandbox.ts'
import { createWallet, type Wallet } from './wallet.ts'

const sandbox = useSandbox()
let alice: Wallet
beforeAll(() => {
  alice = sandbox.wallet('alice')
})
beforeEach(() => sandbox.reset())

const spender = ACCOUNTS.carol.address
async function call(to: Hex, data: Hex): Promise<Hex> {
  return sandbox.rpc.request<Hex>('eth_call', [{ to, data }, 'latest'])
}
async function allowance(token: Hex, owner: Hex, by: Hex): Promise<bigint> {
  const request = { abi: erc20Abi, functionName: 'allowance' } as const
  const data = await call(token, encodeFunctionData({ ...request, args: [owner, by] }))
  return decodeFunctionResult({ ...request, data })
}
async function permitted(token: Hex) {
  const request = { abi: PERMIT2_ABI, functionName: 'allowance' } as const
  const data = await call(
    CANONICAL.permit2,
    encodeFunctionData({ ...request, args: [alice.address, token, spender] }),
  )
  return decodeFunctionResult({ ...request, data })
}

describe('signing', () => {
  it('gives equal bytes for equal requests', async () => {
    const request = { to: spender, value: 1n, gas: 21_000n }
    expect(await alice.sign(request)).toEqual(await alice.sign(request))
  })

  it('takes the next nonce after pending transactions', async () => {
    const request = { to: spender, gas: 21_000n }
    const nonces = []
    for (let index = 0; index < 3; index += 1) nonces.push((await alice.send(request)).nonce)
    expect(nonces).toEqual([0, 1, 2])
    await sandbox.chain.mine()
    expect(await alice.nonce()).toBe(3)
  })

  it('pays the given fees, by default a tip of 1 gwei', async () => {
    const plain = await alice.send({ to: spender, gas: 21_000n })
    const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n }
    const given = await alice.send({ to: spender, gas: 21_000n, ...fees })
    await sandbox.chain.mine()
    expect((await sandbox.chain.receipt(plain.hash))?.effectiveGasPriceWei).toBe(1_000_000_007n)
    expect((await sandbox.chain.receipt(given.hash))?.effectiveGasPriceWei).toBe(3_000_000_007n)
  })

  it('returns the same hash as the node', async () => {
    const signed = await alice.sign({ to: spender, gas: 21_000n })
    expect(await sandbox.chain.sendRaw(signed.rawTransaction)).toBe(signed.hash)
  })

  it('throws the refusal of the node', async () => {
    const poor = sandbox.wallet('unfunded')
    await expect(poor.send({ to: spender, gas: 21_000n })).rejects.toBeInstanceOf(RpcError)
  })

  it('signs for any private key', () => {
    const { address, privateKey } = ACCOUNTS.bob
    expect(createWallet(sandbox.rpc, sandbox.chain, privateKey).address).toBe(address)
  })
})

describe('approving', () => {
  it('lets the spender take tokens', async () => {
    const { hash } = await alice.sendApproval(CANONICAL.usdg, spender, 123n)
    await sandbox.chain.mine()
    expect((await sandbox.chain.receipt(hash))?.success).toBe(true)
    expect(await allowance(CANONICAL.usdg, alice.address, spender)).toBe(123n)
  })

  it('lets Permit2 take tokens', async () => {
    await alice.sendPermit2Approval(CANONICAL.usdg, maxUint256)
    await sandbox.chain.mine()
    expect(await allowance(CANONICAL.usdg, alice.address, CANONICAL.permit2)).toBe(maxUint256)
  })
})

describe('permits', () => {
  it('are accepted by Permit2 and stored as they were signed', async () => {
    const request = { token: CANONICAL.usdg, spender, amountRaw: 5_000_000n, expirationS: 1_900_000_000 }
    const { hash } = await alice.sendPermit(request)
    await sandbox.chain.mine()
    expect((await sandbox.chain.receipt(hash))?.success).toBe(true)
    expect(await permitted(CANONICAL.usdg)).toEqual([5_000_000n, 1_900_000_000, 1])
  })

  it('never expire by default, up to the largest amount', async () => {
    await alice.sendPermit({ token: CANONICAL.weth, spender, amountRaw: MAX_UINT160 })
    await sandbox.chain.mine()
    expect(await permitted(CANONICAL.weth)).toEqual([MAX_UINT160, MAX_UINT48, 1])
  })

  it('take the next nonce that Permit2 accepts', async () => {
    const request = { token: CANONICAL.usdg, spender, amountRaw: 1n }
    await alice.sendPermit(request)
    await sandbox.chain.mine()
    const { permit } = await alice.signPermit(request)
    expect(permit.details.nonce).toBe(1)
  })

  it('may be submitted by any account', async () => {
    const { call: handIn } = await alice.signPermit({ token: CANONICAL.usdg, spender, amountRaw: 9n })
    const { rawTransaction } = await sandbox.wallet('bob').sign({ ...handIn, gas: 200_000n })
    expect((await sandbox.chain.execute(rawTransaction)).success).toBe(true)
    expect((await permitted(CANONICAL.usdg))[0]).toBe(9n)
  })

  it('are refused by Permit2 after their deadline, and not at it', async () => {
    const sigDeadlineS = sandbox.base.timestampS + 100
    const request = { token: CANONICAL.usdg, spender, amountRaw: 1n, sigDeadlineS }
    const atDeadline = await alice.sendPermit(request)
    await sandbox.chain.mineAt(sigDeadlineS)
    expect((await sandbox.chain.receipt(atDeadline.hash))?.success).toBe(true)
    const after = await alice.sendPermit(request)
    await sandbox.chain.mineAt(sigDeadlineS + 1)
    expect((await sandbox.chain.receipt(after.hash))?.success).toBe(false)
  })

  it('are refused by Permit2 with a nonce that is not the next', async () => {
    const { hash } = await alice.sendPermit({ token: CANONICAL.usdg, spender, amountRaw: 1n, nonce: 1 })
    await sandbox.chain.mine()
    expect((await sandbox.chain.receipt(hash))?.success).toBe(false)
  })
})
