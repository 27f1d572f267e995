import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBareChain } from '../../sandbox/bareChain.ts'
import { type LiveChain, takeOverChain } from './liveChain.ts'

let bare: Awaited<ReturnType<typeof startBareChain>>
let live: LiveChain
beforeAll(async () => {
  bare = await startBareChain()
  live = await takeOverChain(bare.rpc, 0n)
})
afterAll(() => bare.stop())

const RICH = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const balance = () => live.rpc.request('eth_getBalance', [RICH, 'latest'])
const isThere = async (hash: string) => (await live.rpc.request('eth_getBlockByHash', [hash, false])) !== null
/** Begins a case, lets it work, and begins the next. Returns whether the block of the first still exists. */
async function survives(work: () => Promise<unknown>): Promise<boolean> {
  await live.begin()
  const { hash } = await live.chain.head()
  await work()
  await live.begin()
  return isThere(hash)
}

it('undoes nothing of a case that changed nothing', async () => {
  expect(await survives(balance)).toBe(true)
})

it.each([
  ['mined', () => live.mine(2)],
  ['mined for half a minute, a block each 150 ms', () => live.mine(200)],
  ['set state without a block', () => live.rpc.request('anvil_setBalance', [RICH, '0x1'])],
  ['left a transaction', () => live.rpc.request('eth_sendTransaction', [{ from: RICH, to: RICH }])],
  [
    'met another program that left one',
    () => bare.rpc.request('eth_sendTransaction', [{ from: RICH, to: RICH }]),
  ],
  ['met another program that mined', () => bare.rpc.request('evm_mine')],
])('undoes what a case did that %s', async (_, work) => {
  const before = await balance()
  expect(await survives(work)).toBe(false)
  expect(await balance()).toBe(before)
  expect(await live.chain.pool()).toEqual([])
})
