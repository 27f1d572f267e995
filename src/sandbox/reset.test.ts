import { afterAll, beforeAll, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { type AnvilNode, BASE_FEE_WEI, startAnvil } from './anvil.ts'
import { mineBlocks, readHead } from './blocks.ts'
import { chainSettings, createReset, WorldLostError } from './reset.ts'
import { createRpc, type Rpc } from './rpc.ts'

let node: AnvilNode
let rpc: Rpc
beforeAll(async () => {
  node = await startAnvil()
  rpc = createRpc({ url: node.url, ended: node.ended })
  await rpc.batch(chainSettings(BASE_FEE_WEI))
})
afterAll(async () => {
  rpc.close()
  await node.stop()
})

it('undoes what was set without a block', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI)
  const balance = () => rpc.request('eth_getBalance', [ACCOUNTS.alice.address, 'latest'])
  const before = await balance()
  await rpc.request('anvil_setBalance', [ACCOUNTS.alice.address, '0x1'])
  expect(await reset()).toBe('restored')
  expect(await balance()).toBe(before)
  await mineBlocks(rpc, 1)
  await rpc.request('anvil_setBalance', [ACCOUNTS.alice.address, '0x1'])
  expect(await reset()).toBe('restored')
  expect(await balance()).toBe(before)
})

it('says when the node is worn out, by the number of its resets', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI, 2)
  expect([await reset(), await reset(), await reset()]).toEqual(['restored', 'restored', 'worn-out'])
})

it('says when the base was reorganised away by hand', async () => {
  await mineBlocks(rpc, 1)
  const base = await readHead(rpc)
  const reset = await createReset(rpc, BASE_FEE_WEI)
  await rpc.request('anvil_rollback', [1])
  const error = await reset().catch((thrown) => thrown)
  expect(error).toBeInstanceOf(WorldLostError)
  expect(error.message).toContain(`block ${base.number}`)
})

it('says when the snapshot was used up by hand', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI)
  // Snapshots are numbered; reverting to the one before the next is what a stranger would do.
  const next = await rpc.request<string>('evm_snapshot')
  await rpc.request('evm_revert', [`0x${(Number(next) - 1).toString(16)}`])
  expect(await reset().catch((thrown) => thrown)).toBeInstanceOf(WorldLostError)
})
