import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDPOINTS, type Endpoint, expectAllowed, serveMisanswered } from './testing/misanswered.ts'
import type { Misanswer } from './testing/scriptedNode.ts'

let service: Awaited<ReturnType<typeof serveMisanswered>>
beforeAll(async () => {
  service = await serveMisanswered()
})
afterAll(() => service.stop())

/** The endpoints that call each method. */
const READERS = {
  eth_chainId: ENDPOINTS,
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

const misread = (of: Method, path: readonly string[], by: unknown): Misanswer => {
  return ({ entries, methods, response }) => {
    const wrong = entries.map(({ id, result }, at) => ({
      id,
      result: methods[at] === of ? replaced(result, path, by) : result,
    }))
    response.end(JSON.stringify(wrong))
  }
}

const ROWS = METHODS.flatMap((method) =>
  ['', ...(FIELDS[method] ?? [])].map((field) => [method, field] as const),
)

it.each(ROWS)('whatever %s returns at "%s", each endpoint answers as it may', async (method, field) => {
  const [path, values] = field === '' ? [[], VALUES] : [field.split('.'), FIELD_VALUES]
  for (const value of values) expectAllowed(await service.ask(misread(method, path, value), READERS[method]))
})

it.each(METHODS)('an error in the place of %s is unavailable where it is read', async (method) => {
  const answers = await service.ask(({ entries, methods, response }) => {
    const error = { code: -32603, message: 'internal error' }
    response.end(
      JSON.stringify(entries.map((entry, at) => (methods[at] === method ? { id: entry.id, error } : entry))),
    )
  }, READERS[method])
  expectAllowed(answers)
  for (const { status } of answers) expect(status).toBeGreaterThan(500)
})
