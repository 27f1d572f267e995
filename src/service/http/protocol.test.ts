import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createDomain } from '../createDomain.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { testDeps } from '../testing/deps.ts'
import { fakeApps, KEY } from '../testing/fakeDomain.ts'
import { exchange } from '../testing/rawHttp.ts'
import { createLife } from './life.ts'
import { createServer } from './server.ts'

const service = (await fakeApps({ docsPage: true }))()
const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
afterEach(() => {
  service.calls.length = 0
  service.lines.length = 0
})
afterAll(() => service.app.close())

const BUILD = '/api/v1/swap/build'
const HOST = 'Host: x'
const CLOSE = 'Connection: close'
const BEARER = `Authorization: Bearer ${KEY}`
const JSON_TYPE = 'Content-Type: application/json'

const request = (line: string, headers: readonly string[], body = '') =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`
/** Returns a request to /healthz with additional headers, or with another first line. */
const health = (...headers: readonly string[]) => request('GET /healthz HTTP/1.1', [HOST, CLOSE, ...headers])
const start = (line: string) => request(line, [HOST, CLOSE])
const post = (headers: readonly string[], body = '', path = BUILD) =>
  request(`POST ${path} HTTP/1.1`, [HOST, CLOSE, ...headers], body)
/** Returns a build request with a valid key, so that its body is read. */
const build = (headers: readonly string[], body = '') => post([BEARER, JSON_TYPE, ...headers], body)
const sized = (body: string, ...headers: readonly string[]) =>
  build([...headers, `Content-Length: ${body.length}`], body)
const chunked = (body: string) => build(['Transfer-Encoding: chunked'], body)
const docs = (path: string, ...headers: readonly string[]) =>
  request(`GET /docs/static/${path} HTTP/1.1`, [HOST, CLOSE, ...headers])
const GOOD = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

type Case = readonly [name: string, bytes: string, ...statuses: number[]]
const CASES: readonly Case[] = [
  ['an expectation', post(['Expect: x', 'Content-Length: 0']), 417],
  ['an expectation of more than 100-continue', health('Expect: 100-continue, x'), 100, 417],
  ['an empty expectation', health('Expect:'), 417],
  ['the known expectation', health('Expect: 100-continue'), 100, 200],
  ['the known expectation without a key', post(['Expect: 100-Continue', 'Content-Length: 0']), 100, 401],
  ['no host', request('GET /healthz HTTP/1.1', [CLOSE]), 400],
  ['no host in HTTP/1.0', request('GET /healthz HTTP/1.0', []), 200],
  ['an empty host', request('GET /healthz HTTP/1.1', ['Host:', CLOSE]), 200],
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['a TLS handshake', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\0'.repeat(64)}`, 400],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['HTTP/3.0', start('GET /healthz HTTP/3.0'), 505],
  ['an unknown method', start('FOO /healthz HTTP/1.1'), 400],
  ['an address that cannot be decoded', start('GET /% HTTP/1.1'), 400],
  ['an address that is no UTF-8', start('GET /%ff HTTP/1.1'), 400],
  ['an absolute address', start('GET http://x/healthz HTTP/1.1'), 200],
  ['a long address', start(`GET /${'a'.repeat(9_000)} HTTP/1.1`), 404],
  ['an address that is too long', start(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431],
  ['a pattern for an address', start('GET /a*b HTTP/1.1'), 404],
  ['a parameter for an address', start('GET /:address HTTP/1.1'), 404],
  ['OPTIONS of everything', start('OPTIONS * HTTP/1.1'), 404],
  ['PROPFIND', start('PROPFIND /healthz HTTP/1.1'), 405],
  ['QUERY', start('QUERY /healthz HTTP/1.1'), 400],
  ['CONNECT', start('CONNECT x:80 HTTP/1.1'), 405],
  ['an upgrade', request('GET /healthz HTTP/1.0', ['Connection: Upgrade', 'Upgrade: websocket']), 200],
  ['lines that end with a line feed', 'GET /healthz HTTP/1.1\nHost: x\n\n', 505],
  ['empty lines first', `\r\n\r\n${health()}`, 200],
  ['a header without a colon', health('bad header'), 400],
  ['a header that goes on in the next line', health('A: b', ' c'), 400],
  ['headers that are too large', health(`A: ${'x'.repeat(20_000)}`), 431],
  ['three thousand headers', health(...Array.from({ length: 3_000 }, () => 'a:b')), 200],
  ['two lengths', build(['Content-Length: 1', 'Content-Length: 2'], '{}'), 400],
  ['a length beyond all numbers', build([`Content-Length: ${'9'.repeat(30)}`], '{}'), 400],
  ['a length beyond the limit', build(['Content-Length: 999999'], '{}'), 400],
  ['a length and chunks', build(['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'), 400],
  ['an unknown encoding', build(['Transfer-Encoding: gzip']), 400],
  ['no body', build([]), 400],
  ['a chunk without a size', chunked('zz\r\n'), 400],
  ['a chunk of a size beyond all numbers', chunked(`${'f'.repeat(20)}\r\n`), 400],
  ['a chunk beyond the limit', chunked(`20000\r\n${' '.repeat(0x20000)}\r\n0\r\n\r\n`), 400],
  ['a large extension of a chunk', chunked(`1;${'a'.repeat(20_000)}\r\n{\r\n`), 413],
  ['a large trailer', chunked(`2\r\n{}\r\n0\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`), 431],
  ['an empty trailer', chunked('2\r\n{}\r\n0\r\n\r\n'), 400],
  ['a bad chunk of an unknown caller', post([JSON_TYPE, 'Transfer-Encoding: chunked'], 'zz\r\n'), 400],
  ['bytes that are no UTF-8', sized('\xff\xfe{'), 400],
  ['a byte order mark', sized('\xef\xbb\xbf{}'), 400],
  ['compressed JSON', sized('\x1f\x8b\x08\0', 'Content-Encoding: gzip'), 400],
  ['a body with a GET', request('GET /healthz HTTP/1.1', [HOST, CLOSE, 'Content-Length: 2'], '{}'), 200],
  ['a body that never comes with a GET', health('Content-Length: 20'), 200],
  ['a file outside the documentation', docs('../x'), 400],
  ['a file outside, encoded in full', docs('%2e%2e%2fpackage.json'), 404],
  ['a file outside, with backslashes', docs('%5c..'), 400],
  ['a file with a zero byte', docs('%00'), 400],
  ['a file that is not there', docs('nothing'), 404],
  ['a range that is not there', docs('swagger-ui.css', 'Range: bytes=999999999-'), 400],
  ['a condition that does not hold', docs('swagger-ui.css', 'If-Match: "x"'), 400],
  ['a good request and a bad one', `${GOOD}nonsense\r\n\r\n`, 200, 400],
  ['a good request and CONNECT', `${GOOD}${start('CONNECT x:80 HTTP/1.1')}`, 200, 405],
  ['good requests and a bad chunk', `${GOOD}${GOOD}${chunked('zz\r\n')}`, 200, 200, 400],
  ['two bad requests', 'nonsense\r\n\r\nnonsense\r\n\r\n', 400],
]

const ROWS = CASES.map(([name, bytes, ...statuses]) => [name, bytes, statuses] as const)

it.each(ROWS)('answers %s', async (_name, bytes, statuses) => {
  const responses = await exchange(url, bytes)
  expect(responses.map(({ status }) => status)).toEqual(statuses)
  for (const { status, headers, body } of responses) {
    if (status === 100) continue
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toContain('no-store')
    if (status >= 400) expect(JSON.parse(body)).toEqual({ error: expect.any(String) })
  }
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
})

describe('a connection whose request was not HTTP', () => {
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

  /** Returns a service whose clock the test advances, and the sockets of its clients. */
  async function serve() {
    const timers: (() => void)[] = []
    const clock = {
      nowMs: () => 0,
      monotonicMs: () => 0,
      after: (_delayMs: number, callback: () => void) => {
        timers.push(callback)
        return () => timers.splice(timers.indexOf(callback), 1)
      },
    }
    const sendNothing = async () => []
    const deps = testDeps(clock, { send: sendNothing })
    const life = createLife(deps, createDomain(deps), DEFAULT_LIMITS)
    const app = createServer(() => life, DEFAULT_LIMITS)
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const connect = async (): Promise<readonly [client: Socket, served: Socket]> => {
      const client = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      const [served] = await once(app.server, 'connection')
      return [client, served as Socket]
    }
    return { app, timers, connect }
  }

  it('is closed some time after the answer, though its client keeps it open', async () => {
    const { app, timers, connect } = await serve()
    const [client, served] = await connect()
    client.resume().write('nonsense\r\n\r\n')
    await once(client, 'end')
    expect(served.destroyed).toBe(false)
    expect(timers).toHaveLength(1)
    timers[0]?.()
    client.end()
    await closed(served)
    expect(timers).toHaveLength(0)
    await app.close()
  })

  it('gets 408 when the request is late', async () => {
    const { app, connect } = await serve()
    const [client, served] = await connect()
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    app.server.emit('clientError', late, served)
    const [answer] = await once(client, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
    expect(JSON.parse(String(answer).split('\r\n\r\n')[1] ?? '')).toEqual({ error: expect.any(String) })
    client.destroy()
    await app.close()
  })

  it.each(['GET /healthz HTTP/1.1\r\nHo', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n'])(
    'may be reset by its client after %j',
    async (bytes) => {
      const { app, connect } = await serve()
      const [client, served] = await connect()
      await new Promise<void>((written) => client.write(bytes, () => written()))
      const end = closed(served)
      client.on('error', () => undefined).resetAndDestroy()
      await end
      expect(
        (await fetch(`http://127.0.0.1:${(app.server.address() as net.AddressInfo).port}/x`)).status,
      ).toBe(404)
      await app.close()
    },
  )
})
