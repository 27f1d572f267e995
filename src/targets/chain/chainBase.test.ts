import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { readHead } from '../../sandbox/blocks.ts'
import { DEEPEST_REORG_WITHOUT_RESETS } from '../../sandbox/chain.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { realTime } from '../realTime.ts'
import { type ChainBase, returnToBase } from './chainBase.ts'
import { type LineProxy, startLineProxy } from './lineProxy.ts'
import { drivenGenesisS } from './liveChain.ts'
import { reachLine } from './reachLine.ts'

let sandbox: Sandbox
let line: LineProxy
let base: ChainBase
beforeAll(async () => {
  sandbox = await startSandbox({ timestampS: drivenGenesisS() })
  line = await startLineProxy(sandbox.manifest, { isReachable: true })
  const reached = await reachLine(line.url)
  if (reached === null) throw new Error('no line proxy')
  base = reached.base
})
// Every run begins with a new block.
beforeEach(() => sandbox.chain.mine())
afterAll(async () => {
  await line?.stop()
  await sandbox?.stop()
})

const { address } = ACCOUNTS.bob
const setBalance = (wei: string) => sandbox.rpc.request('anvil_setBalance', [address, wei])
const balance = () => sandbox.rpc.request<string>('eth_getBalance', [address, 'latest'])

test('the base is the head of the sandbox when its line was started', async () => {
  expect(base).toEqual({ number: sandbox.base.number, stateRoot: sandbox.base.stateRoot })
})

test('blocks of a swap and of a later time, and a waiting transaction, are removed and reported', async () => {
  const alice = sandbox.wallet('alice')
  const send = () => alice.send({ to: address, value: 7n, gas: 21_000n })
  const before = await balance()
  await send()
  await sandbox.chain.mine(13)
  const { timestampS } = await sandbox.chain.head()
  await sandbox.chain.mineAt(timestampS + 1_201)
  await send()
  expect(await returnToBase(sandbox.rpc, base)).toContain('left 15 blocks')
  const head = await readHead(sandbox.rpc)
  expect(head.stateRoot).toBe(base.stateRoot)
  expect(head.timestampS).toBeLessThanOrEqual(realTime.nowMs() / 1_000)
  expect(await sandbox.chain.pool()).toEqual([])
  expect(await balance()).toBe(before)
})

test('state that was set without a block is removed as well', async () => {
  const before = await balance()
  await sandbox.chain.mine()
  await setBalance('0x1')
  await returnToBase(sandbox.rpc, base)
  expect(await balance()).toBe(before)

  await setBalance('0x2')
  await sandbox.chain.mine(2)
  await sandbox.chain.mine()
  expect(await returnToBase(sandbox.rpc, base)).toContain('was not at its base')
  expect(await balance()).toBe(before)
})

test('a chain at its base reports nothing, and loses no block', async () => {
  await returnToBase(sandbox.rpc, base)
  const { number } = await sandbox.chain.head()
  expect(await returnToBase(sandbox.rpc, base)).toBeNull()
  const head = await sandbox.chain.head()
  expect(head.number).toBeGreaterThan(number)
})

test('a state that is too far back is refused, with what to do', async () => {
  await setBalance('0x3')
  await sandbox.chain.mine(DEEPEST_REORG_WITHOUT_RESETS + 1)
  await expect(returnToBase(sandbox.rpc, base)).rejects.toThrow('not at its base, and cannot be brought back')
  await sandbox.reset()
})
