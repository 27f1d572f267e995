import { afterAll, expect, it } from 'vitest'
import { buildResponseSchema, quoteResponseSchema } from '../spec/wire.ts'
import { executed } from './confirm/testing/useConfirmer.ts'
import type { RpcCall, RpcReply } from './ports.ts'
import { openStore } from './store/openStore.ts'
import { NOW_MS } from './store/testing/records.ts'
import { AT } from './testing/manifest.ts'
import { wholeService } from './testing/wholeService.ts'

const ENDPOINTS = ['quote', 'build', 'confirm', 'health'] as const
type Endpoint = (typeof ENDPOINTS)[number]

const store = await openStore({ url: ':memory:' })
const clock = { nowMs: () => NOW_MS, monotonicMs: () => 0, after: () => () => {} }
const { send, seams } = await wholeService(store, clock)
afterAll(() => store.close())

let buildId = ''
let swaps = 0
const txHash = () => `0x${String(swaps).padStart(64, '0')}`
/** Creates the build to report next, executed by a transaction: a recorded one is not looked up again. */
async function prepare(): Promise<void> {
  seams.reply = (_call, right) => right
  const { tx, route, attribution } = buildResponseSchema.parse((await send.build()).json())
  expect(route.engine).toBe('venue_a')
  buildId = attribution?.buildId ?? ''
  const swap = { sender: AT.sender, target: tx.to, calldata: tx.data, valueRaw: BigInt(tx.value) }
  swaps += 1
  const { transaction, receipt, ...rest } = executed(swap, 20)
  Object.assign(seams.reported, {
    ...rest,
    transaction: { ...transaction, hash: txHash() },
    receipt: { ...receipt, transactionHash: txHash() },
  })
}
await prepare()

/** Statuses that the specification's tables allow while the node misbehaves, and their bodies where it defines them. */
const ALLOWED: Readonly<Record<Endpoint, Readonly<Record<number, unknown>>>> = {
  quote: { 200: expect.anything(), 502: { error: 'quote failed' } },
  build: { 200: expect.anything(), 422: { error: 'no executable route' }, 502: { error: 'build failed' } },
  confirm: {
    200: { recorded: true, alreadyRecorded: false },
    202: expect.anything(),
    422: { error: expect.any(String) },
    503: { error: 'verification or storage temporarily unavailable' },
  },
  health: { 200: { status: 'ok' }, 503: { error: 'the chain or the store cannot be used' } },
}

/** Sends a request to an endpoint while the node replies as given; expects what is allowed. @returns the status. */
async function ask(endpoint: Endpoint, reply: (call: RpcCall, right: RpcReply) => RpcReply) {
  seams.reply = reply
  const answer = await (endpoint === 'confirm' ? send.confirm(buildId, txHash()) : send[endpoint]())
  const { statusCode: status, headers } = answer
  expect({ [status]: answer.json() }).toEqual({ [status]: ALLOWED[endpoint][status] })
  if (status === 202 || status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  if (endpoint === 'quote' && status === 200) quoteResponseSchema.parse(answer.json())
  if (endpoint === 'build' && status === 200) buildResponseSchema.parse(answer.json())
  if (endpoint === 'confirm' && status === 200) await prepare()
  return status
}

/** The endpoints that call each method. */
const READERS = {
  eth_chainId: ['confirm', 'health'],
  eth_simulateV1: ['quote', 'build'],
  eth_gasPrice: ['quote', 'build'],
  eth_getTransactionByHash: ['confirm'],
  eth_getTransactionReceipt: ['confirm'],
  eth_blockNumber: ['confirm'],
  eth_getBlockByNumber: ['confirm'],
} as const satisfies Record<string, readonly Endpoint[]>
type Method = keyof typeof READERS
const METHODS = Object.keys(READERS) as Method[]

/** Replacements of a field; undefined removes it. */
const FIELD_VALUES: readonly unknown[] = [
  undefined,
  null,
  1,
  '',
  '0x',
  '0x1',
  '0x123',
  `0x${'f'.repeat(64)}`,
  { toString: 1, valueOf: 1 },
]

/** Replacements of a whole result. */
const VALUES: readonly unknown[] = [
  ...FIELD_VALUES,
  true,
  -1.5,
  1e308,
  'rubbish',
  '0X1',
  '0xzz',
  '4663',
  `0x${'0'.repeat(63)}1`,
  `0x1${'0'.repeat(64)}`,
  `0x${'F'.repeat(10_000)}`,
  [],
  {},
  [['0x1']],
  [null],
  JSON.parse('{"__proto__":{"calls":[]}}'),
]

/** The fields that the service reads: the path to each inside the result of its method. */
const FIELDS: Readonly<Partial<Record<Method, readonly string[]>>> = {
  eth_simulateV1: [
    '0',
    '0.calls',
    '0.calls.0',
    '0.calls.0.status',
    '0.calls.0.returnData',
    '0.calls.1.returnData',
  ],
  eth_getTransactionByHash: ['hash', 'from', 'to', 'input', 'value', 'chainId'],
  eth_getTransactionReceipt: ['transactionHash', 'status', 'blockNumber', 'blockHash'],
  eth_getBlockByNumber: ['number', 'hash', 'timestamp'],
}

type Json = { [name: string]: Json }

/** Returns the value with `by` at `path`; an empty path replaces the value itself. */
function replaced(value: unknown, [name, ...path]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by
  const copy = structuredClone(value) as Json
  copy[name] = replaced(copy[name], path, by) as Json
  return copy
}

const ROWS = METHODS.flatMap((method) =>
  ['', ...(FIELDS[method] ?? [])].map((field) => [method, field] as const),
)

it.each(METHODS)('a right reply to %s is used', async (method) => {
  for (const endpoint of READERS[method]) expect(await ask(endpoint, (_call, right) => right)).toBe(200)
})

it.each(ROWS)('whatever %s returns at "%s", each endpoint answers as it may', async (method, field) => {
  const [path, values] = field === '' ? [[], VALUES] : [field.split('.'), FIELD_VALUES]
  for (const endpoint of READERS[method])
    for (const by of values)
      await ask(endpoint, (call, right) =>
        call.method === method && right.ok ? { ok: true, result: replaced(right.result, path, by) } : right,
      )
})

it.each(METHODS)('an error in the place of %s is unavailable where it is read', async (method) => {
  for (const endpoint of READERS[method]) {
    const status = await ask(endpoint, (call, right) =>
      call.method === method ? { ok: false, code: -32603, message: 'internal error' } : right,
    )
    expect(status).toBeGreaterThan(500)
  }
})
