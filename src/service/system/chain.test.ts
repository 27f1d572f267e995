import http from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ChainUnavailableError } from '../errors.ts'
import type { RpcCall } from '../ports.ts'
import { createHttpChain, type HttpChain } from './chain.ts'
import { systemClock } from './clock.ts'

const CALL: RpcCall = { method: 'eth_call', params: [] }
const CALLS: readonly RpcCall[] = [
  { method: 'eth_chainId', params: [] },
  { method: 'eth_call', params: [{ to: '0x01' }, 'latest'] },
]
/** Long enough never to pass in tests of other behaviour. */
const AMPLE = { timeoutMs: 20_000 }

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function listen(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const CHAIN_ID = 4663

function chainAt(url: string): HttpChain {
  const chain = createHttpChain(url, CHAIN_ID)
  cleanups.push(() => chain.close())
  return chain
}

interface Seen {
  readonly bodies: unknown[]
  readonly connections: Set<unknown>
}

/** Returns a node that replies to each POST with the result of `answer`. */
async function node(
  answer: (body: string, response: http.ServerResponse, request: http.IncomingMessage) => void,
): Promise<{ chain: HttpChain; seen: Seen; url: string }> {
  const seen: Seen = { bodies: [], connections: new Set() }
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    seen.bodies.push(JSON.parse(body))
    seen.connections.add(request.socket)
    answer(body, response, request)
  })
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = await listen(server)
  return { chain: chainAt(url), seen, url }
}

const OK = 'HTTP/1.1 200 OK\r\n'
const GOOD = '[{"jsonrpc":"2.0","id":0,"result":"0x1237"},{"jsonrpc":"2.0","id":1,"result":null}]'

/** Writes again each millisecond, until the connection closes. */
function each1Ms(response: http.ServerResponse, write: () => void): void {
  if (response.destroyed) return
  write()
  systemClock.after(1, () => each1Ms(response, write))
}

describe('a round trip', () => {
  it('is one POST of one batch', async () => {
    const { chain, seen } = await node((_, response, request) => {
      expect(request.method).toBe('POST')
      expect(request.headers['content-type']).toBe('application/json')
      response.end(GOOD)
    })
    await chain.send(CALLS, AMPLE)
    expect(seen.bodies).toEqual([
      [
        { jsonrpc: '2.0', id: 0, method: 'eth_chainId', params: [] },
        { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: '0x01' }, 'latest'] },
      ],
    ])
  })

  it('answers in the order of the calls, whatever the order of the node', async () => {
    const { chain } = await node((_, response) =>
      response.end('[{"id":1,"result":"second"},{"id":0,"result":"0x1237"}]'),
    )
    expect(await chain.send(CALLS, AMPLE)).toEqual([
      { ok: true, result: '0x1237' },
      { ok: true, result: 'second' },
    ])
  })

  it('hands on what the node says about one call', async () => {
    const { chain } = await node((_, response) =>
      response.end(
        '[{"id":0,"error":{"code":3,"message":"execution reverted","data":"0x08"}},{"id":1,"error":{"code":-32601,"message":"no such method"}},{"id":2,"result":"0x1237"}]',
      ),
    )
    expect(await chain.send([CALL, CALL], AMPLE)).toEqual([
      { ok: false, code: 3, message: 'execution reverted', data: '0x08' },
      { ok: false, code: -32601, message: 'no such method' },
    ])
  })

  it('reads an answer of any type and spacing, byte by byte, after which the connection closes', async () => {
    const { chain } = await node((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' })
      for (const byte of `\r\n\t ${JSON.stringify(JSON.parse(GOOD), null, 2)}\n`) response.write(byte)
      response.end()
    })
    expect(await chain.send(CALLS, AMPLE)).toHaveLength(2)
  })

  it('keeps its connection for the next', async () => {
    const { chain, seen } = await node((_, response) => response.end(GOOD))
    await chain.send(CALLS, AMPLE)
    await chain.send(CALLS, AMPLE)
    expect(seen.bodies).toHaveLength(2)
    expect(seen.connections.size).toBe(1)
  })

  it('repeats a refusal of the whole batch only in part', async () => {
    const words = 'x'.repeat(10_000)
    const { chain } = await node((_, response) => response.end(JSON.stringify({ error: { message: words } })))
    const message = await chain.send(CALLS, AMPLE).catch((error: Error) => error.message)
    expect(message).toContain('x'.repeat(200))
    expect(message).not.toContain('x'.repeat(201))
  })

  it('survives a kept connection that the node has closed meanwhile', async () => {
    let answers = 0
    const { chain } = await node((_, response, request) => {
      answers += 1
      if (answers === 2) request.socket.resetAndDestroy()
      else response.end(GOOD)
    })
    await chain.send(CALLS, AMPLE)
    expect(await chain.send(CALLS, AMPLE)).toHaveLength(2)
  })
})

describe('a node that cannot be read', () => {
  const refused = async (sent: Promise<unknown>, problem: RegExp) => {
    const error = await sent.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ChainUnavailableError)
    expect((error as Error).message).toMatch(problem)
    expect((error as Error).message).not.toContain('127.0.0.1')
  }

  it.each([
    ['no JSON', '<html>busy</html>', /not JSON/],
    ['nothing', '', /not JSON/],
    [
      'one object',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}',
      /no batches/,
    ],
    ['a refusal that is no text', '{"error":{"message":{"toString":1}}}', /not a batch/],
    ['a refusal without a message', '{"error":null}', /not a batch/],
    ['a bare string', '"ok"', /not a batch/],
    ['null', 'null', /not a batch/],
    ['a missing entry', '[{"id":0,"result":1}]', /1 of 2/],
    ['no entry', '[]', /0 of 2/],
    ['an entry too many', '[{"id":0,"result":1},{"id":1,"result":1},{"id":2,"result":1}]', /not requested/],
    ['a foreign id', '[{"id":0,"result":1},{"id":7,"result":1}]', /not requested/],
    ['an id as text', '[{"id":"0","result":1},{"id":"1","result":1}]', /not requested/],
    ['an id that is not whole', '[{"id":0.5,"result":1},{"id":1,"result":1}]', /not requested/],
    ['an id as an object', '[{"id":{"valueOf":1},"result":1},{"id":1,"result":1}]', /not requested/],
    ['an id of null', '[{"id":null,"result":1},{"id":1,"result":1}]', /not requested/],
    ['a negative id', '[{"id":-1,"result":1},{"id":1,"result":1}]', /not requested/],
    ['a null entry', '[null,{"id":1,"result":1}]', /not requested/],
    ['one call answered twice', '[{"id":0,"result":1},{"id":0,"result":2}]', /twice/],
    ['neither result nor error', '[{"id":0},{"id":1,"result":1}]', /neither/],
    ['an error of the wrong shape', '[{"id":0,"error":"no"},{"id":1,"result":1}]', /no code/],
    [
      'a message that is no text',
      '[{"id":0,"error":{"code":1,"message":{"toString":1}}},{"id":1,"result":1}]',
      /no code/,
    ],
    ['an error without a code', '[{"id":0,"error":{"message":"no"}},{"id":1,"result":1}]', /no code/],
  ])('answers %s', async (_, text, problem) => {
    const { chain } = await node((__, response) => response.end(text))
    await refused(chain.send(CALLS, AMPLE), problem)
  })

  it.each([201, 204, 400, 401, 404, 429, 500, 503])(
    'answers HTTP %i, even with a good body',
    async (status) => {
      const { chain } = await node((_, response) => response.writeHead(status).end(GOOD))
      await refused(chain.send(CALLS, AMPLE), new RegExp(`HTTP ${status}`))
    },
  )

  it('wants to speak another protocol', async () => {
    const { chain } = await node((_, __, request) => {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
    })
    await refused(chain.send(CALLS, AMPLE), /HTTP 101/)
  })

  it('redirects, and is not followed', async () => {
    const other = await node((_, response) => response.end(GOOD))
    const { chain } = await node((_, response) => response.writeHead(307, { location: other.url }).end())
    await refused(chain.send(CALLS, AMPLE), /HTTP 307/)
    expect(other.seen.bodies).toEqual([])
  })

  it.each([
    ['bytes', `[{"id":0,"result":"0x${'0'.repeat(6e6)}`, /larger than 4194304 bytes/],
    ['deep arrays', '['.repeat(3e6), /nested deeper than 32 levels/],
    ['deep objects', '{"a":'.repeat(33), /nested deeper than 32 levels/],
    ['small values', `[${'{},'.repeat(1e6)}`, /more than 100000 values/],
    ['names', `{${'"a":1,'.repeat(1e5)}`, /more than 100000 values/],
  ])('answers with too many %s, and is refused before the answer ends', async (_, text, problem) => {
    const { chain } = await node((__, response) => response.write(text))
    await refused(chain.send(CALLS, AMPLE), problem)
  })

  it('never answers', async () => {
    const { chain } = await node(() => undefined)
    await refused(chain.send(CALLS, { timeoutMs: 30 }), /no answer within 30 ms/)
  })

  it.each<readonly [string, (response: http.ServerResponse) => void]>([
    ['stops in the middle of its answer', (response) => response.write('[{"id":0,')],
    ['sends one byte after another', (response) => each1Ms(response, () => response.write(' '))],
    [
      'sends one interim response after another',
      (response) => each1Ms(response, () => response.writeProcessing()),
    ],
  ])('%s', async (_, write) => {
    const { chain } = await node((__, response) => write(response))
    await refused(chain.send(CALLS, { timeoutMs: 60 }), /no answer within 60 ms/)
  })

  it('never answers on a kept connection, and is asked once', async () => {
    let answers = 0
    const { chain, seen } = await node((_, response) => {
      answers += 1
      if (answers === 1) response.end(GOOD)
    })
    await chain.send(CALLS, AMPLE)
    await refused(chain.send(CALLS, { timeoutMs: 30 }), /no answer within 30 ms/)
    expect(seen.bodies).toHaveLength(2)
  })

  it('closes the connection before its answer', async () => {
    const { chain } = await node((_, __, request) => request.socket.destroy())
    await refused(chain.send(CALLS, AMPLE), /connection failed/)
  })

  it('closes the connection inside its answer', async () => {
    const { chain } = await node((_, response) => {
      response.writeHead(200, { 'content-length': 500 })
      response.write('[{"id":0,', () => response.destroy())
    })
    await refused(chain.send(CALLS, AMPLE), /closed inside the answer/)
  })

  it.each([
    ['another protocol', 'SSH-2.0-nonsense\r\n'],
    ['a broken header', `${OK}bad header\r\n\r\n${GOOD}`],
    ['large headers', `${OK}A: ${'x'.repeat(20_000)}\r\n\r\n${GOOD}`],
    ['a length and chunks', `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${GOOD}`],
    ['a bad chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n${GOOD}`],
    ['a length that is too short', `${OK}Content-Length: 20\r\n\r\n${GOOD}`],
    ['a length that is too long', `${OK}Content-Length: 9999\r\n\r\n${GOOD}`],
    ['compressed text', `${OK}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00`],
  ])('speaks %s', async (_, bytes) => {
    const server = net.createServer((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
    cleanups.push(() => server.close())
    await refused(chainAt(await listen(server)).send(CALLS, AMPLE), /connection|malformed/)
  })

  it('is not there', async () => {
    const server = net.createServer()
    const url = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    await refused(chainAt(url).send(CALLS, AMPLE), /ECONNREFUSED/)
  })
})

describe('a chain of which one id counts', () => {
  const replyTo = (chainId: unknown) => (body: string, response: http.ServerResponse) => {
    const calls = JSON.parse(body) as { id: number; method: string }[]
    const entries = calls.map(({ id, method }) => ({
      id,
      result: method === 'eth_chainId' ? chainId : '0x01',
    }))
    response.end(JSON.stringify(entries))
  }
  it('is asked for it in the same round trip, and the answers are those of the calls', async () => {
    const { chain, seen } = await node(replyTo('0x1237'))
    expect(await chain.send([CALL], AMPLE)).toEqual([{ ok: true, result: '0x01' }])
    expect(seen.bodies).toEqual([
      [expect.objectContaining({ method: 'eth_call' }), expect.objectContaining({ method: 'eth_chainId' })],
    ])
  })

  it('is asked for it once when the calls ask for it', async () => {
    const { chain, seen } = await node(replyTo('0x1237'))
    expect(await chain.send(CALLS, AMPLE)).toHaveLength(2)
    expect(seen.bodies).toMatchObject([[{ method: 'eth_chainId' }, { method: 'eth_call' }]])
  })

  it.each([
    '0x1',
    '0x01237000',
    '4663',
    4663,
    ['0x1237'],
    { toString: 1 },
    '',
    '0x',
    null,
    `0x${'f'.repeat(64)}`,
  ])('is not the chain %j', async (chainId) => {
    const { chain } = await node(replyTo(chainId))
    await expect(chain.send([CALL], AMPLE)).rejects.toThrow(ChainUnavailableError)
  })

  it('is noticed when it changes behind a connection that stays open, and when it is back', async () => {
    let served = '0x1237'
    const { chain, seen } = await node((body, response) => replyTo(served)(body, response))
    await chain.send([CALL], AMPLE)
    served = '0x1'
    await expect(chain.send([CALL], AMPLE)).rejects.toThrow(/chain 1, not 4663/)
    served = '0x1237'
    await chain.send([CALL], AMPLE)
    expect(seen.connections.size).toBe(1)
  })
})
