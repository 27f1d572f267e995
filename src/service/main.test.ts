import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { LIMITS } from '../spec/limits.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { readConfig } from './config.ts'
import { type RunningService, startService } from './main.ts'
import { TEST_MANIFEST } from './testing/manifest.ts'
import { exchange } from './testing/rawHttp.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Returns a promise and the function that resolves it. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((kept) => {
    resolve = kept
  })
  return { promise, resolve }
}

/** Returns a node that responds with its chain id once `answering` resolves. */
async function node(answering: Promise<void> = Promise.resolve()) {
  const asked = gate()
  const { url, stop } = await serve(async (request, response) => {
    request.resume()
    asked.resolve()
    await answering
    response.end(`[{"id":0,"result":"0x${LIMITS.chainId.toString(16)}"}]`)
  })
  cleanups.push(stop)
  return { asked: asked.promise, url }
}

async function start(rpcUrl: string, variables: Record<string, string> = {}): Promise<RunningService> {
  const config = readConfig({
    PORT: '0',
    RPC_URL: rpcUrl,
    LOG_LEVEL: 'silent',
    DOCS_PAGE: 'off',
    ...variables,
  })
  const service = await startService(config, TEST_MANIFEST)
  cleanups.push(() => service.stop())
  return service
}

/** Returns an open raw connection on which `text` was sent. */
async function connected(url: string, text: string) {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  socket.write(text)
  return {
    closed: new Promise((resolve) => socket.once('close', resolve)),
    received: () => received,
  }
}

it('counts responses, round trips and operations for its operator, and nothing that a client makes up', async () => {
  const service = await start((await node()).url)
  await fetch(`${service.url}/healthz`)
  await fetch(`${service.url}/made-up/1`, { method: 'DELETE' })
  const answer = await fetch(`${service.url}/metrics`)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/)
  const text = await answer.text()
  for (const counted of [
    'plumbline_http_response_seconds_count{method="GET",route="/healthz",status="200"} 1',
    'plumbline_http_response_seconds_count{method="other",route="none",status="404"} 1',
    'plumbline_dependency_seconds_count{dependency="chain",call="send",outcome="ok"} 1',
    'plumbline_dependency_seconds_count{dependency="store",call="ping",outcome="ok"} 1',
    'plumbline_queue{state="running"} 0',
    'process_resident_memory_bytes',
  ])
    expect(text).toContain(counted)
  expect(text).not.toContain('made-up')
})

it('shows no counts with METRICS=off', async () => {
  const service = await start((await node()).url, { METRICS: 'off' })
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
})

it('lets as many clients connect while it is busy as it may have connections', async () => {
  const listen = vi.spyOn(net.Server.prototype, 'listen')
  cleanups.push(() => listen.mockRestore())
  const { url } = await node()
  await start(url, { CONNECTIONS_MAX: '4321' })
  expect(listen).toHaveBeenCalledWith(expect.objectContaining({ backlog: 4_321 }))
})

it('stops only after the requests under way are answered, and takes no new ones', async () => {
  const answering = gate()
  const chain = await node(answering.promise)
  const service = await start(chain.url)
  let hasStopped = false
  const underWay = fetch(`${service.url}/healthz`).then(async (answer) => ({
    status: answer.status,
    body: await answer.json(),
  }))
  await chain.asked
  const stopped = service.stop().then(() => {
    hasStopped = true
  })
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
  expect(hasStopped).toBe(false)
  answering.resolve()
  expect(await underWay).toEqual({ status: 200, body: { status: 'ok' } })
  await stopped
})

it('stops at once when no request is under way, though clients keep their connections', async () => {
  const service = await start((await node()).url)
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await service.stop()
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
})

it('stops at once while a client holds a connection on which it sent nothing, or half a request', async () => {
  const service = await start((await node()).url)
  const silent = await connected(service.url, '')
  const half = await connected(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n')
  await service.stop()
  await Promise.all([silent.closed, half.closed])
})

it('stops after SHUTDOWN_TIMEOUT_MS at the latest, whatever is in progress', async () => {
  const chain = await node(new Promise(() => {}))
  const service = await start(chain.url, { SHUTDOWN_TIMEOUT_MS: '50' })
  const inProgress = fetch(`${service.url}/healthz`)
  inProgress.catch(() => {})
  await chain.asked
  await service.stop()
  await expect(inProgress).rejects.toThrow()
})

it('may be stopped more than once', async () => {
  const service = await start((await node()).url)
  await Promise.all([service.stop(), service.stop()])
  await service.stop()
})

it('does not start on a port that is taken', async () => {
  const chain = await node()
  const first = await start(chain.url)
  const port = new URL(first.url).port
  await expect(start(chain.url, { PORT: port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

it.each([
  ['anything', ''],
  ['the headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
  [
    'the body',
    'POST /api/v1/swap/build HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\nAuthorization: Bearer KEY\r\n\r\n',
  ],
])('answers 408 when %s of a request is not there within REQUEST_TIMEOUT_MS', async (_, text) => {
  const service = await start((await node()).url, { REQUEST_TIMEOUT_MS: '100' })
  const { key } = await service.partners.issueKey({ partnerId: 'acme', kind: 'individual' })
  expect(await exchange(service.url, text.replace('KEY', key))).toMatchObject([{ status: 408 }])
})

it('closes the connections beyond CONNECTIONS_MAX', async () => {
  const service = await start((await node()).url, { CONNECTIONS_MAX: '1' })
  const first = await connected(service.url, '')
  const second = await connected(service.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await second.closed
  expect(second.received()).toBe('')
  await service.stop()
  await first.closed
})
