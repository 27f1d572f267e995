import { describe, expect, it } from 'vitest'
import { ChainUnavailableError, StoreUnavailableError } from '../errors.ts'
import type { RpcReply } from '../ports.ts'
import { BLOCK, hex, OTHER_HASH, reported, useConfirmer } from './testing/useConfirmer.ts'

const { world, confirm, change, expectNothingRecorded } = useConfirmer()

describe('a chain that cannot be read', () => {
  it.each([1, 2, 3])('gives neither a verdict nor a 202 when round trip %i fails', async (failing) => {
    world.chain.beforeTrip = (trip) => {
      if (trip === failing) throw new ChainUnavailableError('the line broke')
    }
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    expect(world.chain.trips).toHaveLength(failing)
    await expectNothingRecorded()
    world.chain.beforeTrip = () => {}
    expect(await confirm()).toEqual(reported)
  })

  const asked: [number, string][] = [
    [1, 'eth_getTransactionByHash'],
    [1, 'eth_getTransactionReceipt'],
    [1, 'eth_blockNumber'],
    [1, 'eth_chainId'],
    [2, 'eth_getBlockByNumber'],
    [2, 'eth_blockNumber'],
    [3, 'eth_getTransactionReceipt'],
    [3, 'eth_getBlockByNumber'],
    [3, 'eth_blockNumber'],
  ]
  const failures: [string, RpcReply][] = [
    ['refuses', { ok: false, code: -32603, message: 'internal error' }],
    ['answers rubbish to', { ok: true, result: { rubbish: true } }],
  ]
  it.each(
    asked.flatMap(([trip, method]) => failures.map(([fails, reply]) => ({ trip, method, fails, reply }))),
  )('is so when the node, in round trip $trip, $fails $method', async ({ trip, method, reply }) => {
    world.chain.intercept = (call, inTrip) => (inTrip === trip && call.method === method ? reply : undefined)
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    await expectNothingRecorded()
  })

  it.each<[string, () => void]>([
    ['it serves another chain', () => (world.chain.state.chainId = '0x1')],
    ['the head is no quantity', () => (world.chain.state.head = 1_011)],
    ['the head is beyond reason', () => (world.chain.state.head = `0x${'f'.repeat(20)}`)],
    ['calldata has half a byte', () => change('transaction', { input: '0xdea' })],
    ['the calldata is missing', () => change('transaction', { input: undefined })],
    ['the value is decimal', () => change('transaction', { value: '1000000000000000000' })],
    ['the sender is no address', () => change('transaction', { from: '0xa1' })],
    ['the status is missing', () => change('receipt', { status: undefined })],
    ['the status is unknown', () => change('receipt', { status: '0x2' })],
    ['the timestamp is missing', () => change('block', { timestamp: undefined })],
  ])('is so when %s', async (_, spoil) => {
    spoil()
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
    await expectNothingRecorded()
  })

  it.each<[string, Record<string, unknown>]>([
    ['eth_getTransactionByHash', { hash: OTHER_HASH }],
    ['eth_getTransactionReceipt', { transactionHash: OTHER_HASH }],
    ['eth_getBlockByNumber', { number: hex(BLOCK + 1) }],
  ])('is so when the answer to %s is about something else', async (method, fields) => {
    const { transaction, receipt, block } = world.chain.state
    const truth = {
      eth_getTransactionByHash: transaction,
      eth_getTransactionReceipt: receipt,
      eth_getBlockByNumber: block,
    }
    world.chain.intercept = (call) =>
      call.method === method
        ? { ok: true, result: { ...truth[method as keyof typeof truth], ...fields } }
        : undefined
    await expect(confirm()).rejects.toBeInstanceOf(ChainUnavailableError)
  })
})

describe('a store that cannot be used', () => {
  it.each([
    'findBuild',
    'findAttributionByBuild',
    'findAttributionByTransaction',
    'recordAttribution',
  ] as const)('is neither a verdict nor a wait when %s fails', async (method) => {
    const honest = world.store
    world.store = new Proxy(honest, {
      get(target, property) {
        if (property === method) return async () => Promise.reject(new StoreUnavailableError('it is away'))
        const value = Reflect.get(target, property)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(confirm()).rejects.toBeInstanceOf(StoreUnavailableError)
    world.store = honest
    await expectNothingRecorded()
    expect(await confirm()).toEqual(reported)
  })
})
