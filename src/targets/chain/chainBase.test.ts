import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBareChain } from '../../sandbox/bareChain.ts'
import { type Block, readHead } from '../../sandbox/blocks.ts'
import { DEEPEST_REORG_WITHOUT_RESETS } from '../../sandbox/chain.ts'
import { realTime } from '../realTime.ts'
import { type ChainBase, returnToBase } from './chainBase.ts'
import { type LineProxy, startLineProxy } from './lineProxy.ts'
import { reachLine } from './reachLine.ts'
import { deployedManifest } from './samples.ts'

let bare: Awaited<ReturnType<typeof startBareChain>>
let start: Block
let line: LineProxy
let base: ChainBase
beforeAll(async () => {
  bare = await startBareChain()
  start = await bare.chain.mine()
  line = await startLineProxy({ ...deployedManifest(), rpcUrl: bare.rpc.url }, { isReachable: true })
  const reached = await reachLine(line.url)
  if (reached === null) throw new Error('no line proxy')
  base = reached.base
})
// Every run begins with a new block.
beforeEach(() => bare.chain.mine())
afterAll(async () => {
  await line?.stop()
  await bare?.stop()
})

const RICH = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const address = '0x00000000000000000000000000000000000000aa'
const setBalance = (wei: string) => bare.rpc.request('anvil_setBalance', [address, wei])
const balance = () => bare.rpc.request<string>('eth_getBalance', [address, 'latest'])

test('the base is the head of the sandbox when its line was started', async () => {
  expect(base).toEqual({ number: start.number, stateRoot: start.stateRoot })
})

test('blocks of a swap and of a later time, and a waiting transaction, are removed and reported', async () => {
  const send = () => bare.rpc.request('eth_sendTransaction', [{ from: RICH, to: address, value: '0x7' }])
  const before = await balance()
  await send()
  await bare.chain.mine(13)
  const { timestampS } = await bare.chain.head()
  await bare.chain.mineAt(timestampS + 1_201)
  await send()
  expect(await returnToBase(bare.rpc, base)).toContain('left 15 blocks')
  const head = await readHead(bare.rpc)
  expect(head.stateRoot).toBe(base.stateRoot)
  expect(head.timestampS).toBeLessThanOrEqual(realTime.nowMs() / 1_000)
  expect(await bare.chain.pool()).toEqual([])
  expect(await balance()).toBe(before)
})

test('state that was set without a block is removed as well', async () => {
  const before = await balance()
  await bare.chain.mine()
  await setBalance('0x1')
  await returnToBase(bare.rpc, base)
  expect(await balance()).toBe(before)

  await setBalance('0x2')
  await bare.chain.mine(2)
  await bare.chain.mine()
  expect(await returnToBase(bare.rpc, base)).toContain('was not at its base')
  expect(await balance()).toBe(before)
})

test('a chain at its base reports nothing, and loses no block', async () => {
  await returnToBase(bare.rpc, base)
  const { number } = await bare.chain.head()
  expect(await returnToBase(bare.rpc, base)).toBeNull()
  const head = await bare.chain.head()
  expect(head.number).toBeGreaterThan(number)
})

test('a state that is too far back is refused, with what to do', async () => {
  await setBalance('0x3')
  await bare.chain.mine(DEEPEST_REORG_WITHOUT_RESETS + 1)
  await expect(returnToBase(bare.rpc, base)).rejects.toThrow('not at its base, and cannot be brought back')
})
