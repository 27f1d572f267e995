import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { drive } from './drive.ts'
import { type LoadRow, renderLoad, withPeaks } from './table.ts'
import { watch } from './watch.ts'

let server: http.Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: http.RequestListener): Promise<string> {
  server = http.createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A load that ends with its first request. */
const ONE = { headers: {}, connections: 1, durationMs: 0, limitMs: 60_000 }

it('sends the requests of a load, and counts what was served, refused and neither', async () => {
  const received: string[] = []
  const url = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(`${request.method} ${request.url} ${chunk}`))
    request.on('end', () => {
      const status = Number(request.url?.slice(1))
      response.writeHead(status, status === 503 ? { 'retry-after': '1' } : {}).end('{}')
    })
  })
  const at = (status: number) =>
    drive(url, { ...ONE, request: (count) => ({ method: 'POST', path: `/${status}`, body: `${count}` }) })
  expect(await at(202)).toMatchObject({ served: { count: 1 }, refused: { count: 0 }, failed: {}, late: 0 })
  expect(await at(503)).toMatchObject({ served: { count: 0 }, refused: { count: 1 }, failed: {} })
  expect(await at(502)).toMatchObject({ served: { count: 0 }, refused: { count: 0 }, failed: { 502: 1 } })
  expect(received).toEqual(['POST /202 0', 'POST /503 0', 'POST /502 0'])
})

it('counts a connection that is cut off by the code of its error', async () => {
  const url = await serve((request) => request.socket.destroy())
  const { failed } = await drive(url, { ...ONE, request: () => ({ method: 'GET', path: '/' }) })
  expect(failed).toEqual({ ECONNRESET: 1 })
})

it('counts what is served after the limit as late', async () => {
  const url = await serve((_request, response) => response.end())
  const { late } = await drive(url, { ...ONE, limitMs: 0, request: () => ({ method: 'GET', path: '/' }) })
  expect(late).toBe(1)
})

it('watches memory, health and documentation', async () => {
  const url = await serve((request, response) => {
    response.statusCode = request.url === '/healthz' ? 503 : 200
    response.end()
  })
  const watched = await watch(url, process.pid)()
  expect(watched.memoryMb).toBeGreaterThan(1)
  expect(watched.healthMaxMs).toBeNull()
  expect(watched.docsMaxMs).not.toBeNull()
})

it('shows each row as a part of the peak of its endpoint', () => {
  const times = { count: 4, p50Ms: 12.4, p99Ms: 1_520, maxMs: 2_000 }
  const none = { count: 0, p50Ms: null, p99Ms: null, maxMs: null }
  const row = {
    served: times,
    late: 0,
    refused: none,
    failed: {},
    memoryMb: 250.2,
    healthMaxMs: 7,
    docsMaxMs: 5,
  }
  const rows: Omit<LoadRow, 'shareOfPeak'>[] = [
    { ...row, endpoint: 'quote', connections: 10, servedPerS: 400 },
    {
      ...row,
      endpoint: 'quote',
      connections: 5_000,
      servedPerS: 340,
      failed: { ECONNRESET: 3 },
      refused: times,
    },
    { ...row, endpoint: 'build', connections: 1, servedPerS: 0, healthMaxMs: null },
  ]
  const report = withPeaks(rows)
  expect(report.map(({ shareOfPeak }) => shareOfPeak)).toEqual([1, 0.85, 0])
  const markdown = renderLoad({
    schema: 'plumbline-load/1',
    command: 'npm run load',
    measured: '2026-01-02, a machine',
    secondsPerRow: 10,
    rows: report,
  })
  expect(markdown).toContain('`npm run load`, 2026-01-02, a machine, 10 s for each row:')
  expect(markdown).toContain(
    '| quote | 5,000 | 340 | 85 % | 12 ms | 1.5 s | 2.0 s | 0 | 4 | 1.5 s | 3 × ECONNRESET | 250 MB | 7 ms | 5 ms |',
  )
  expect(markdown).toContain(
    '| build | 1 | 0 | 0 % | 12 ms | 1.5 s | 2.0 s | 0 | 0 | – | 0 | 250 MB | failed | 5 ms |',
  )
})
