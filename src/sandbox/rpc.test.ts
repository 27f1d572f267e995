import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { asEip1193, createRpc, RpcConnectionError } from './rpc.ts'

type Answer = (body: string, request: IncomingMessage, response: ServerResponse) => void

let answer: Answer
let bodies: string[] = []
const sockets = new Set<unknown>()
let server: TestServer
let url = ''

beforeAll(async () => {
  server = await serve(async (request, response) => {
    sockets.add(request.socket)
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    answer(body, request, response)
  })
  url = server.url
})
afterAll(() => server.stop())
beforeEach(() => {
  bodies = []
  sockets.clear()
})

const reply = (make: (calls: { id: number; method: string }) => object): Answer => {
  return (body, _, response) => {
    const parsed = JSON.parse(body)
    const one = (call: { id: number; method: string }) => ({ jsonrpc: '2.0', id: call.id, ...make(call) })
    response.end(JSON.stringify(Array.isArray(parsed) ? parsed.map(one).reverse() : one(parsed)))
  }
}
it('sends equal bytes for equal uses, with ids from 1', async () => {
  answer = reply(() => ({ result: true }))
  for (const rpc of [createRpc({ url }), createRpc({ url })]) {
    await rpc.request('first', ['0x1'])
    await rpc.batch([{ method: 'second' }, { method: 'third', params: [null] }])
    rpc.close()
  }
  expect(bodies.slice(0, 2)).toEqual(bodies.slice(2))
  expect(bodies.slice(0, 2)).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"first","params":["0x1"]}',
    '[{"jsonrpc":"2.0","id":2,"method":"second","params":[]},{"jsonrpc":"2.0","id":3,"method":"third","params":[null]}]',
  ])
})

it('keeps its socket', async () => {
  answer = reply(() => ({ result: true }))
  const rpc = createRpc({ url })
  for (let call = 0; call < 5; call += 1) await rpc.request('again')
  expect(sockets.size).toBe(1)
  rpc.close()
})

it('returns the results of a batch in the order of its calls, for any order of the replies', async () => {
  answer = reply(({ method }) => ({ result: method }))
  const rpc = createRpc({ url })
  expect(await rpc.batch([{ method: 'a' }, { method: 'b' }, { method: 'c' }])).toEqual(['a', 'b', 'c'])
  expect(bodies).toHaveLength(1)
  rpc.close()
})

it('sends nothing for an empty batch', async () => {
  expect(await createRpc({ url }).batch([])).toEqual([])
  expect(bodies).toEqual([])
})

it('passes a null result on', async () => {
  answer = reply(() => ({ result: null }))
  expect(await createRpc({ url }).request('eth_getTransactionReceipt')).toBeNull()
})

it("throws the node's error with its code, data and method, from a batch too", async () => {
  answer = reply(({ method }) =>
    method === 'bad'
      ? { error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } }
      : { result: 1 },
  )
  const rpc = createRpc({ url })
  for (const promise of [rpc.request('bad'), rpc.batch([{ method: 'good' }, { method: 'bad' }])]) {
    await expect(promise).rejects.toMatchObject({
      name: 'RpcError',
      method: 'bad',
      code: 3,
      data: '0x08c379a0',
    })
  }
  rpc.close()
})

it('throws the single error that a node returns for a whole batch', async () => {
  answer = (_body, _request, response) =>
    void response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too many"}}')
  await expect(createRpc({ url }).batch([{ method: 'a' }])).rejects.toMatchObject({ code: -32600 })
})

it.each<[string, Answer]>([
  ['another HTTP status', (_b, _q, response) => void response.writeHead(413).end('too large')],
  ['no JSON', (_b, _q, response) => void response.end('<html>')],
  ['null', (_b, _q, response) => void response.end('null')],
  ['neither result nor error', reply(() => ({}))],
  ['a batch without the call', (_b, _q, response) => void response.end('[]')],
  ['a torn connection', (_b, request) => void request.socket.destroy()],
])('throws RpcConnectionError on %s', async (_, given) => {
  answer = given
  const rpc = createRpc({ url })
  await expect(rpc.batch([{ method: 'a' }])).rejects.toBeInstanceOf(RpcConnectionError)
  rpc.close()
})

it('gives up on a silent node', async () => {
  answer = () => undefined
  const rpc = createRpc({ url, timeoutMs: 20 })
  await expect(rpc.request('a')).rejects.toBeInstanceOf(RpcConnectionError)
  rpc.close()
})

it('throws the reason for which the node ended, if it is known', async () => {
  answer = (_body, request) => void request.socket.destroy()
  const reason = new Error('out of memory')
  await expect(createRpc({ url, ended: Promise.resolve(reason) }).request('a')).rejects.toBe(reason)
  const stopped = createRpc({ url, ended: Promise.resolve(null) })
  await expect(stopped.request('a')).rejects.toBeInstanceOf(RpcConnectionError)
})

it('serves viem as a provider', async () => {
  answer = reply(({ method }) => (method === 'eth_chainId' ? { result: '0x1237' } : { result: '0x0' }))
  const rpc = createRpc({ url })
  const client = createPublicClient({ transport: custom(asEip1193(rpc), { retryCount: 0 }) })
  expect(await client.getChainId()).toBe(4663)
  rpc.close()
})
