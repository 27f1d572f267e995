import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../host/freePort.ts'
import { TargetStartError } from '../errors.ts'
import { MISBEHAVING, serve, type TestServer } from '../testing/misbehaving.ts'
import { untilReady } from './readiness.ts'

let server: TestServer | undefined
afterEach(() => server?.stop())

const alive = { ended: () => null, output: () => 'its last words' }
const within = (timeoutMs: number, connectionSuffices = false) => ({
  timeoutMs,
  runEndsAtMs: Date.now() + timeoutMs,
  connectionSuffices,
})
const soon = (connectionSuffices = false) => within(100, connectionSuffices)
/** The wait ends soon, and its last probe has as long as a busy machine may take. */
const soonRefused = (connectionSuffices = false) => ({
  ...soon(connectionSuffices),
  runEndsAtMs: Date.now() + 120_000,
})
/** A busy machine takes a long time to respond at all. */
const patient = within(60_000)

/** Serves the interface, and handles all other paths by `elsewhere`. */
const only =
  (elsewhere: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url === '/api/v1/quote') response.writeHead(401).end()
    else elsewhere(request, response)
  }

test.each(['floods', 'silent', 'closes', 'breaksOff'] as const)(
  'a service that answers the interface is ready, whatever it does at / (%s)',
  async (name) => {
    server = await serve(only(MISBEHAVING[name]))
    expect(await untilReady(new URL(server.url), alive, patient)).toBe(0)
    expect(server.paths).toEqual(['/api/v1/quote'])
  },
)

test.each(['floods', 'breaksOff', 'redirects', 'html'] as const)(
  'a response that has begun is a sign of life, whatever follows (%s)',
  async (name) => {
    server = await serve(MISBEHAVING[name])
    expect(await untilReady(new URL(server.url), alive, soon())).toBe(0)
  },
)

test('a gateway is ready once the service behind it has started', async () => {
  let requests = 0
  server = await serve((_, response) => {
    requests += 1
    response.writeHead(requests < 3 ? 502 : 401).end()
  })
  expect(await untilReady(new URL(server.url), alive, patient)).toBe(0)
  expect(requests).toBe(3)
})

const unavailable: RequestListener = (_, response) => response.writeHead(503).end()

test('a service that stays unavailable counts as ready when the time is over', async () => {
  server = await serve(unavailable)
  expect(await untilReady(new URL(server.url), alive, soon())).toBe(0)
})

test('a service that is unavailable and was not just started counts as ready immediately', async () => {
  server = await serve(unavailable)
  expect(await untilReady(new URL(server.url), alive, within(60_000, true))).toBe(0)
  expect(server.paths).toEqual(['/api/v1/quote'])
})

test('its clock is read from the first response', async () => {
  server = await serve((_, response) => {
    response.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString()).end()
  })
  const aheadMs = await untilReady(new URL(`${server.url}/base/`), alive, patient)
  expect(Math.abs(aheadMs - 3_600_000)).toBeLessThan(2_000)
  expect(server.paths).toEqual(['/base/api/v1/quote'])
})

test.each(['silent', 'closes'] as const)(
  'a service that accepts connections and responds to none counts as ready: %s',
  async (name) => {
    server = await serve(MISBEHAVING[name])
    expect(await untilReady(new URL(server.url), alive, soon(true))).toBe(0)
    expect(server.paths).toHaveLength(1)
    expect(await untilReady(new URL(server.url), alive, soon())).toBe(0)
  },
)

test('a server that does not speak HTTP counts as ready as well', async () => {
  const port = await freePort()
  const noHttp = createServer((socket) => socket.end('no HTTP\r\n\r\n')).listen(port, '127.0.0.1')
  expect(await untilReady(new URL(`http://127.0.0.1:${port}`), alive, soon(true))).toBe(0)
  noHttp.close()
})

test('where nothing listens nothing is ready, and the last output of the process is reported', async () => {
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  await expect(untilReady(url, alive, soonRefused())).rejects.toBeInstanceOf(TargetStartError)
  await expect(untilReady(url, alive, soonRefused())).rejects.toThrow('its last words')
  const gone = expect.objectContaining({
    name: 'TargetUnreachableError',
    message: `no response at ${url.href} (ECONNREFUSED)`,
    advice: expect.stringContaining('the service is running'),
  })
  await expect(untilReady(url, alive, soonRefused(true))).rejects.toEqual(gone)
  await expect(untilReady(url, alive, soonRefused(true))).rejects.not.toThrow('PORT')
  const ended = { ...alive, ended: () => 'its process ended' }
  await expect(untilReady(url, ended, soonRefused(true))).rejects.toThrow('its process ended')
})
