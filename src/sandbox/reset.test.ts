import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { type AnvilNode, BASE_FEE_WEI, KEPT_STATES, startAnvil } from './anvil.ts'
import { mineBlocks } from './blocks.ts'
import { chainSettings, createReset } from './reset.ts'
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

it('undoes changes of the state without a block', async () => {
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

it('reports a node as worn out after its number of resets', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI, 2)
  expect([await reset(), await reset(), await reset()]).toEqual(['restored', 'restored', 'worn-out'])
})

it('restores within a run after any number of resets', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI, 1)
  expect([await reset(), await reset('within-a-run'), await reset()]).toEqual([
    'restored',
    'restored',
    'worn-out',
  ])
})

it('reports a node as worn out when a run mined more blocks than the node keeps states', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI)
  await mineBlocks(rpc, KEPT_STATES + 1)
  expect(await reset()).toBe('worn-out')
})

it('reports a node as worn out when a caller used up the snapshot', async () => {
  const reset = await createReset(rpc, BASE_FEE_WEI)
  const next = await rpc.request<string>('evm_snapshot')
  // Snapshots are numbered in the order in which they were taken.
  await rpc.request('evm_revert', [numberToHex(Number(next) - 1)])
  expect(await reset()).toBe('worn-out')
})

it('reports a node as worn out when a caller removed the base', async () => {
  await mineBlocks(rpc, 1)
  const reset = await createReset(rpc, BASE_FEE_WEI)
  await rpc.request('anvil_rollback', [1])
  expect(await reset()).toBe('worn-out')
})
