import { readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

const folder = temporaryFolder()
const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

/** The reference behind a gateway that is unavailable for every third request. */
const GATEWAY = `
import { spawn } from 'node:child_process'
import http from 'node:http'
import net from 'node:net'
const inner = await new Promise((resolve) => {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})
const env = { ...process.env, PORT: String(inner) }
const service = spawn(process.execPath, [${JSON.stringify(PLUMBLINE)}, 'serve'], { stdio: 'inherit', env })
process.on('SIGTERM', () => {
  service.kill()
  process.exit(0)
})
let count = 0
http.createServer((request, response) => {
  count += 1
  if (count > 20 && count % 3 === 0) {
    const isConfirm = request.url.includes('/confirm')
    response.writeHead(isConfirm ? 503 : 502, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': '1',
    })
    return response.end(JSON.stringify({ error: 'the gateway is restarting' }))
  }
  const { url: path, method, headers } = request
  const forwarded = http.request({ host: '127.0.0.1', port: inner, path, method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  forwarded.on('error', () => {
    response.writeHead(502)
    response.end()
  })
  request.pipe(forwarded)
}).listen(Number(process.env.PORT), '127.0.0.1')
`

test('a service that is unavailable now and then conforms, says so, and its recordings hold', async () => {
  const gateway = folder.at('gateway.mjs')
  writeFileSync(gateway, GATEWAY)
  const recorded = folder.at('recorded')
  const { code, text } = await plumbline(
    ...['conform', '--start', `"${process.execPath}" "${gateway}"`, '--record', recorded],
    ...['--out', folder.at('out'), '--only'],
    ...['case:confirm.not-found', 'case:confirm.depth', 'case:quote.serves.slippage.50'],
  )
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toMatch(/waited: .*for the service to be available again after 502 or 503/)
  const files = readdirSync(recorded)
  expect(files).toHaveLength(3)
  const verified = await verifyHere(recorded)
  expect(verified.code, verified.text).toBe(EXIT.conforms)
  expect(verified.text).toContain('3 of 3 recordings hold')
})
