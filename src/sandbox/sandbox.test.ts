import { createPublicClient, type Hex, webSocket } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { AnvilStartError } from './anvil.ts'
import { readBalances } from './balances.ts'
import { startBareChain } from './bareChain.ts'
import type { Block } from './blocks.ts'
import type { Receipt } from './chain.ts'
import { ChainError } from './chainError.ts'
import { readManifestFile, writeManifestFile } from './manifestFile.ts'
import { RESETS_OF_A_NODE } from './reset.ts'
import { createRpc } from './rpc.ts'
import { type Sandbox, SandboxOptionsError, startSandbox } from './sandbox.ts'

/** Changes everything that a reset must restore, and ends on another branch. */
async function disturb(sandbox: Sandbox): Promise<void> {
  const { chain, rpc } = sandbox
  const alice = sandbox.wallet('alice')
  const sent = await alice.send({ to: ACCOUNTS.bob.address, value: 1n, gas: 21_000n })
  await chain.setBaseFee(50_000n)
  await chain.mineAt(sandbox.base.timestampS + 5_000)
  await chain.mine(3)
  await chain.reorg({ depth: 3, include: [] })
  await rpc.request('anvil_setBalance', [ACCOUNTS.carol.address, '0x7'])
  await rpc.request('anvil_setBlockTimestampInterval', [77])
  await alice.cancel((await alice.send({ to: sent.hash.slice(0, 42) as Hex, gas: 50_000n })).hash)
}

/** Mines the same transactions in every world. Any trace of earlier events shows in the returned blocks. */
async function proof(sandbox: Sandbox): Promise<Block[]> {
  const { chain, manifest } = sandbox
  const alice = sandbox.wallet('alice')
  await alice.sendApproval(manifest.weth, manifest.settlement.address, 10n ** 18n)
  await alice.send({ to: ACCOUNTS.carol.address, value: 3n, gas: 21_000n })
  const first = await chain.mine()
  await alice.sendPermit({ token: manifest.weth, spender: manifest.settlement.address, amountRaw: 1n })
  const second = await chain.mine()
  const { newBlocks } = await chain.reorg({ depth: 1 })
  return [first, second, ...newBlocks, await chain.mine(2)]
}

describe('a sandbox', () => {
  const folder = temporaryFolder()
  let sandbox: Sandbox
  let fresh: Block[]
  beforeAll(async () => {
    sandbox = await startSandbox()
    fresh = await proof(sandbox)
  })
  afterAll(() => sandbox.stop())

  it('has its URL in the manifest', async () => {
    const rpc = createRpc({ url: sandbox.manifest.rpcUrl })
    expect(Number(await rpc.request('eth_chainId'))).toBe(4663)
    rpc.close()
  })

  it('has a manifest that can be written to a file and read back', async () => {
    const path = folder.at('manifest.json')
    await writeManifestFile(path, sandbox.manifest)
    expect(await readManifestFile(path)).toEqual(sandbox.manifest)
  })

  it('equals the one of another process, block by block', async () => {
    const other = await startSandbox()
    expect(other.base).toEqual(sandbox.base)
    expect(await proof(other)).toEqual(fresh)
    await other.stop()
  })

  it('equals a fresh one after a hundred resets', async () => {
    for (let round = 0; round < 100; round += 1) {
      if (round % 10 === 0) await disturb(sandbox)
      else await sandbox.chain.mine(3)
      await sandbox.reset()
    }
    expect(await sandbox.chain.head()).toEqual(sandbox.base)
    expect(await sandbox.chain.pool()).toEqual([])
    expect(await proof(sandbox)).toEqual(fresh)
    await sandbox.reset()
    expect(await proof(sandbox)).toEqual(fresh)
  })

  it('refuses to reorganise the deployment away', async () => {
    await sandbox.reset()
    await sandbox.chain.mine(2)
    expect(await sandbox.chain.reorg({ depth: 3 }).catch((thrown) => thrown)).toMatchObject({
      message: expect.stringContaining('the depth goes from 1 to 2'),
    })
    expect((await sandbox.chain.reorg({ depth: 2 })).ancestor).toEqual(sandbox.base)
  })

  it('goes on at the same address on a new node when the old one is worn out', async () => {
    await sandbox.reset()
    // Removes the base itself, which no reset of the same node can restore.
    await sandbox.rpc.request('anvil_rollback', [1])
    await sandbox.reset()
    expect(await sandbox.chain.head()).toEqual(sandbox.base)
    expect(await proof(sandbox)).toEqual(fresh)
    const ended = await Promise.race([sandbox.ended, Promise.resolve('still there')])
    expect(ended).toBe('still there')
  })
})

describe('a fork', () => {
  it('of another sandbox has a second world next to the forked one, on top of its state', async () => {
    const upstream = await startSandbox()
    const stranger: Hex = '0x00000000000000000000000000000000005ca1ab'
    await upstream.rpc.request('anvil_setBalance', [stranger, '0x2a'])
    await upstream.chain.mine(3)
    const { number, timestampS } = await upstream.chain.head()
    const fork = { url: upstream.manifest.rpcUrl, blockNumber: Number(number) }
    const [one, two] = [await startSandbox({ fork }), await startSandbox({ fork })]
    expect(await one.rpc.request('eth_getBalance', [stranger, 'latest'])).toBe('0x2a')
    expect(one.base.number).toBeGreaterThan(number)
    expect(one.base.timestampS).toBeGreaterThan(timestampS)
    expect(one.manifest.settlement.address).not.toBe(upstream.manifest.settlement.address)
    const [alice] = await readBalances(one.rpc, [
      { holder: ACCOUNTS.alice.address, token: one.manifest.weth },
    ])
    expect(alice).toBeGreaterThan(0n)
    const blocks = await proof(one)
    expect(await proof(two)).toEqual(blocks)
    await one.reset()
    expect(await proof(one)).toEqual(blocks)
    await Promise.all([one.stop(), two.stop(), upstream.stop()])
  })

  it('throws when its upstream has no such block, or changed before a new node forked it again', async () => {
    const upstream = await startBareChain()
    await upstream.chain.mine(3)
    const start = startSandbox({ fork: { url: upstream.rpc.url, blockNumber: 99 } })
    expect(await start.catch((thrown) => thrown)).toBeInstanceOf(AnvilStartError)
    const sandbox = await startSandbox({ fork: { url: upstream.rpc.url, blockNumber: 3 } })
    await upstream.chain.reorg({ depth: 1 })
    await sandbox.rpc.request('anvil_rollback', [1])
    expect(await sandbox.reset().catch((thrown) => thrown)).toBeInstanceOf(ChainError)
    await Promise.all([sandbox.stop(), upstream.stop()])
  })
})

it('keeps its node for a reorganisation, and replaces a worn-out one only with the next reset', async () => {
  const sandbox = await startSandbox({ stateRoots: false })
  // A node counts its snapshots, and each reset takes one.
  const snapshots = async () => Number(await sandbox.rpc.request('evm_snapshot'))
  const first = await snapshots()
  for (let resets = 0; resets < RESETS_OF_A_NODE; resets += 1) await sandbox.reset()
  await sandbox.chain.mine(2)
  await sandbox.chain.reorg({ depth: 1 })
  expect(await snapshots()).toBe(first + RESETS_OF_A_NODE + 2)
  await sandbox.reset()
  expect(await snapshots()).toBe(first)
  await sandbox.stop()
})

describe('live mode', () => {
  it('mines automatically, and also on demand', async () => {
    const sandbox = await startSandbox({ blockTimeMs: 20 })
    const client = createPublicClient({ transport: webSocket(sandbox.rpc.url.replace('http', 'ws')) })
    const alice = sandbox.wallet('alice')
    const { rawTransaction, hash } = await alice.sign({ to: alice.address, gas: 21_000n })
    const mined = new Promise<Receipt>((resolve, reject) => {
      client.watchBlockNumber({
        onBlockNumber: async () => {
          const receipt = await sandbox.chain.receipt(hash)
          if (receipt !== null) resolve(receipt)
        },
        onError: reject,
      })
    })
    await sandbox.chain.sendRaw(rawTransaction)
    expect((await mined).success).toBe(true)
    await sandbox.rpc.request('evm_mine')
    await sandbox.reset()
    expect(await alice.nonce()).toBe(0)
    const socket = await client.transport.getRpcClient()
    socket.close()
    await sandbox.stop()
  })
})

it.each([
  ['a time for a fork', { fork: { url: 'http://127.0.0.1:1', blockNumber: 1 }, timestampS: 1 }],
  ['a block time of nothing', { blockTimeMs: 0 }],
])('refuses %s', async (_, options) => {
  expect(await startSandbox(options).catch((thrown) => thrown)).toBeInstanceOf(SandboxOptionsError)
})
