import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

/** Prices nothing, and exits at one slippage. */
const SERVICE = `
import http from 'node:http'
http.createServer((request, response) => {
  if (request.url.includes('slippageBps=0&') || request.url.endsWith('slippageBps=0')) {
    console.error('division by zero in slippage')
    process.exit(7)
  }
  response.setHeader('content-type', 'application/json')
  response.end('{}')
}).listen(Number(process.env.PORT), '127.0.0.1')
`

test('a service that crashes on one request is blamed for it with its last lines, and judged by the other cases', async () => {
  const service = folder.at('service.mjs')
  writeFileSync(service, SERVICE)
  const { code, text } = await plumbline(
    ...['conform', '--start', `"${process.execPath}" "${service}"`, '--profile', 'http'],
    ...['--out', folder.at('out'), '--only', 'quote.serves.slippage.*', 'quote.serves.symbol-only'],
  )
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toContain('its process ended (exit code 7)')
  expect(text).toContain('division by zero in slippage')
  expect(text).not.toContain('nor to the')
  expect(
    text.match(/its process ended \(exit code 7\)\s+It ended while it handled this request/g),
  ).not.toBeNull()
})
