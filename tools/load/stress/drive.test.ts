import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import * as servers from '../../../src/targets/testing/misbehaving.ts'
import { drive } from './drive.ts'

let server: servers.TestServer | undefined
afterEach(() => server?.stop())

async function serve(answer: RequestListener): Promise<string> {
  server = await servers.serve(answer)
  return server.url
}

const SHORT = { headers: { authorization: 'Bearer key' }, connections: 1, durationS: 0.1 }

it('sends a different request each time, and counts what was served, refused and neither', async () => {
  const received: string[] = []
  let [arrived, sent] = [0, 0]
  const statuses = [202, 503, 429, 500, 502]
  const url = await serve((request, response) => {
    const status = statuses[arrived] ?? 200
    arrived += 1
    request.on('data', (chunk: Buffer) => {
      received.push(`${request.method} ${request.url} ${chunk} ${request.headers.authorization}`)
    })
    const isRefusal = status === 503 || status === 429
    request.on('end', () => response.writeHead(status, isRefusal ? { 'Retry-After': '1' } : {}).end('{}'))
  })
  const { served, refused, failed } = await drive(url, {
    ...SHORT,
    // Each connection sends a request immediately, however busy the machine is.
    connections: statuses.length,
    request: () => {
      sent += 1
      return { method: 'POST', path: `/${sent}`, body: `{"n":${sent}}` }
    },
  })
  expect({ refused, failed }).toEqual({ refused: 2, failed: { 500: 1, 502: 1 } })
  expect(served).toBe(received.length - 4)
  expect(received).toEqual(
    expect.arrayContaining(['POST /1 {"n":1} Bearer key', 'POST /2 {"n":2} Bearer key']),
  )
})

it('waits for an answer that comes after the time, with how long it took', async () => {
  const url = await serve((_request, response) => void setTimeout(() => response.end(), 150))
  const driven = await drive(url, {
    ...SHORT,
    durationS: 0.01,
    request: () => ({ method: 'GET', path: '/' }),
  })
  expect(driven).toMatchObject({ served: 1, servedPerS: 0, failed: {} })
  expect(driven.latencyMs.max).toBeGreaterThan(100)
})

it('counts connections that are cut off, with an error or without one', async () => {
  const request = () => ({ method: 'GET', path: '/' }) as const
  const resetting = await serve(({ socket }) => socket.resetAndDestroy())
  expect((await drive(resetting, { ...SHORT, request })).failed.none).toBeGreaterThan(0)
  server?.stop()
  const ending = await serve(({ socket }) => socket.end())
  expect((await drive(ending, { ...SHORT, request })).failed.none).toBeGreaterThan(0)
})
