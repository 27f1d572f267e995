import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readHead, TimeGoesBackError } from '../../sandbox/blocks.ts'
import { useWorld } from '../testing/lentWorld.ts'
import { readChainFacts } from './chainFacts.ts'

const world = useWorld(1)
beforeEach(() => world.reset(1))
afterEach(() => vi.restoreAllMocks())

const raised = (promise: Promise<unknown>) => promise.catch((thrown) => thrown)

it('is the head of the node after every call that changes it, and after one that failed', async () => {
  const { chain, rpc, base } = world.sandbox
  const calls = [
    () => chain.mine(3),
    () => chain.mineAt(base.timestampS + 50),
    () => chain.jumpTo(base.timestampS + 60),
    () => chain.reorg({ depth: 2, newBlocks: 3 }),
    () => chain.rollback(2),
    () => raised(chain.reorg({ depth: 1_000 })),
    () => raised(chain.mineAt(base.timestampS)),
    () => world.mine(2),
    () => world.reset(2),
  ]
  for (const call of calls) {
    await call()
    expect(await chain.head()).toEqual(await readHead(rpc))
  }
})

it('is read once when blocks are mined, however many, and not again', async () => {
  const request = vi.spyOn(world.sandbox.rpc, 'request')
  await world.pass(5_000)
  const { timestampS } = await world.mine(12)
  expect(timestampS).toBe(world.sandbox.base.timestampS + 5 + 11)
  await world.mineAt(timestampS + 10)
  await world.sandbox.chain.head()
  const mining = ['evm_mine', 'eth_getBlockByNumber']
  expect(request.mock.calls.map(([method]) => method)).toEqual([...mining, ...mining])
})

it('refuses a time before it', async () => {
  const error = await raised(world.mineAt(world.sandbox.base.timestampS - 1))
  expect(error).toBeInstanceOf(TimeGoesBackError)
})

it('has facts of mined transactions read once, and again after blocks were removed', async () => {
  const { chain, rpc, settled } = world.sandbox
  const { hash, rawTransaction } = await world
    .wallet('alice')
    .send({ to: world.address('bob'), data: '0xABcd', value: 1n, gas: 30_000n })
  const batch = vi.spyOn(rpc, 'batch')
  const state = async () => {
    const known = await readChainFacts(world.sandbox, [hash])
    expect(known).toEqual(await readChainFacts({ rpc, chain }, [hash]))
    return known.transactions.get(hash)?.state
  }
  expect(await state()).toBe('pending')
  await world.mine()
  batch.mockClear()
  await readChainFacts(world.sandbox, [hash])
  // Its content is known since it was signed.
  const asked = batch.mock.calls.flat(2).map(({ method }) => method)
  expect(asked).toEqual(['eth_getTransactionReceipt', 'eth_getBlockByNumber'])
  expect([await state(), [...settled.keys()]]).toEqual(['mined', [hash]])
  batch.mockClear()
  await world.mine()
  await readChainFacts(world.sandbox, [hash])
  expect(batch.mock.calls.flat(2)).toEqual([])
  await chain.reorg({ depth: 2 })
  expect(await state()).toBe('unknown')
  await chain.sendRaw(rawTransaction)
  await world.mine()
  expect(await state()).toBe('mined')
  await world.reset(1)
  expect(await state()).toBe('unknown')
})
