import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from './system/clock.ts'
import { expectAllowed, serveMisanswered } from './testing/misanswered.ts'
import { type Entry, type Misanswer, rightAnswer } from './testing/scriptedNode.ts'

/** Statuses of quote, build, confirm and health, in this order. */
const SERVED = [200, 200, 200, 200]
const UNAVAILABLE = [502, 502, 503, 503]

let service: Awaited<ReturnType<typeof serveMisanswered>>
beforeAll(async () => {
  service = await serveMisanswered()
})
afterAll(() => service.stop())

async function expectStatuses(misanswer: Misanswer, statuses: readonly number[], asked = service) {
  const answers = await asked.ask(misanswer)
  expect(answers.map((answer) => answer.status)).toEqual(statuses)
  expectAllowed(answers)
}

const text = (write: (entries: readonly Entry[]) => string): Misanswer => {
  return ({ entries, response }) => void response.end(write(entries))
}
const batch = (arrange: (entries: readonly Entry[]) => unknown) =>
  text((entries) => JSON.stringify(arrange(entries)))
const each = (change: (entry: Entry) => unknown) => batch((entries) => entries.map(change))
const status = (code: number, headers: Record<string, string> = {}): Misanswer => {
  return ({ entries, response }) => void response.writeHead(code, headers).end(JSON.stringify(entries))
}
/** Sends raw bytes in place of a response. */
const raw = (bytes: (body: string) => string, end: 'end' | 'resetAndDestroy' = 'end'): Misanswer => {
  return ({ entries, response }) => {
    const { socket } = response
    socket?.write(bytes(JSON.stringify(entries)), () => socket[end]())
  }
}
const head = (...headers: readonly string[]) => `${['HTTP/1.1 200 OK', ...headers].join('\r\n')}\r\n\r\n`

describe('a node that answers', () => {
  it.each<readonly [string, Misanswer]>([
    ['as it should', rightAnswer],
    ['out of order', batch((entries) => [...entries].reverse())],
    ['with other fields', each((entry) => ({ ...entry, jsonrpc: '1.0', error: null, extra: [{}] }))],
    [
      'with another content type',
      ({ entries, response }) => {
        response.setHeader('content-type', 'text/html')
        response.end(JSON.stringify(entries))
      },
    ],
    ['with spaces around', text((entries) => `\r\n\t ${JSON.stringify(entries, null, 2)}\n`)],
    [
      'byte by byte',
      ({ entries, response }) => {
        for (const byte of JSON.stringify(entries)) response.write(byte)
        response.end()
      },
    ],
    ['and closes the connection', raw((body) => `${head('Connection: close')}${body}`)],
  ])('%s is used', async (_name, misanswer) => {
    await expectStatuses(misanswer, SERVED)
  })

  it.each<readonly [string, Misanswer]>([
    ['nothing', text(() => '')],
    ['a page', text(() => '<html>busy</html>')],
    ['null', text(() => 'null')],
    ['a number', text(() => '1e999')],
    ['an object', batch(() => ({}))],
    ['one entry', batch(([entry]) => entry)],
    ['a refusal', batch(() => ({ id: null, error: { code: -32600, message: 'no batches' } }))],
    ['a refusal that is no text', text(() => '{"error":{"message":{"toString":1}}}')],
    ['a refusal of the prototype', text(() => '{"__proto__":{"error":{"message":"x"}}}')],
    ['no entries', batch(() => [])],
    ['an entry too few', batch((entries) => entries.slice(1))],
    ['an entry too many', batch((entries) => [...entries, { id: 99, result: '0x1' }])],
    ['an entry twice', batch((entries) => [...entries, entries[0]])],
    ['one id for all', each((entry) => ({ ...entry, id: 1 }))],
    ['ids that begin at one', each((entry) => ({ ...entry, id: entry.id + 1 }))],
    ['ids as text', each((entry) => ({ ...entry, id: String(entry.id) }))],
    ['ids of null', each((entry) => ({ ...entry, id: null }))],
    ['no ids', each(({ result }) => ({ result }))],
    ['negative ids', each((entry) => ({ ...entry, id: -1 - entry.id }))],
    ['huge ids', each((entry) => ({ ...entry, id: 1e300 }))],
    ['entries of null', each(() => null)],
    ['entries as arrays', each((entry) => [entry])],
    ['neither result nor error', each(({ id }) => ({ id }))],
    ['errors as text', each(({ id }) => ({ id, error: 'no' }))],
    ['errors without a code', each(({ id }) => ({ id, error: { message: 'no' } }))],
    ['errors that are no text', each(({ id }) => ({ id, error: { code: 3, message: { toString: 1 } } }))],
    ['errors and results', each((entry) => ({ ...entry, error: { code: -32603, message: 'x' } }))],
    ['errors', each(({ id }) => ({ id, error: { code: -32005, message: 'x'.repeat(9_000), data: [{}] } }))],
    ['half of the text', text((entries) => JSON.stringify(entries).slice(0, -9))],
    ['text twice', text((entries) => JSON.stringify(entries).repeat(2))],
    ['a byte order mark of another encoding', text((entries) => `\ufffe${JSON.stringify(entries)}`)],
    ['bytes that are no UTF-8', ({ response }) => void response.end(Buffer.from([0x5b, 0xff, 0xfe, 0x5d]))],
    ['UTF-16', ({ entries, response }) => void response.end(Buffer.from(JSON.stringify(entries), 'utf16le'))],
    ['compressed', raw(() => `${head('Content-Encoding: gzip', 'Content-Length: 4')}\x1f\x8b\x08\x00`)],
    ['deep arrays', text(() => '['.repeat(100_000))],
    ['a deep result', each(({ id }) => ({ id, result: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }))],
    ['a redirect', status(307, { location: '/' })],
    ['a permanent redirect', status(301, { location: 'http://127.0.0.1:9/' })],
    ['another success', status(201)],
    ['no content', status(204)],
    ['HTTP 400', status(400)],
    ['HTTP 401', status(401)],
    ['HTTP 404', status(404)],
    ['HTTP 429', status(429, { 'retry-after': '3600' })],
    ['HTTP 500', status(500)],
    ['HTTP 503', status(503)],
    ['no HTTP', raw(() => 'SSH-2.0-nonsense\r\n')],
    ['an unknown status', raw((body) => `HTTP/1.1 999 Odd\r\nContent-Length: ${body.length}\r\n\r\n${body}`)],
    ['a broken header', raw((body) => `${head('bad header')}${body}`)],
    ['large headers', raw((body) => `${head(`A: ${'x'.repeat(20_000)}`)}${body}`)],
    [
      'a length and chunks',
      raw((body) => `${head('Content-Length: 3', 'Transfer-Encoding: chunked')}${body}`),
    ],
    ['a bad chunk', raw((body) => `${head('Transfer-Encoding: chunked')}zz\r\n${body}`)],
    ['a length that is too short', raw((body) => `${head('Content-Length: 20')}${body}`)],
    ['a length that is too long', raw((body) => `${head('Content-Length: 99999')}${body}`)],
    ['a reset', raw(() => '', 'resetAndDestroy')],
    ['a reset after the headers', raw(() => head('Content-Length: 500'), 'resetAndDestroy')],
    [
      'a reset inside the text',
      raw((body) => `${head('Content-Length: 500')}${body.slice(0, 9)}`, 'resetAndDestroy'),
    ],
    ['the end at once', ({ response }) => void response.destroy()],
    [
      'an upgrade',
      raw(() => 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'the right answer of another chain',
      ({ entries, methods, response }) => {
        const wrong = entries.map((entry, at) =>
          methods[at] === 'eth_chainId' ? { ...entry, result: '0x1' } : entry,
        )
        response.end(JSON.stringify(wrong))
      },
    ],
  ])('%s is unavailable', async (_name, misanswer) => {
    await expectStatuses(misanswer, UNAVAILABLE)
  })

  it('as it should after all of this is used', async () => {
    await expectStatuses(rightAnswer, SERVED)
  })
})

describe('a node that takes its time', () => {
  let hasty: typeof service
  beforeAll(async () => {
    hasty = await serveMisanswered()
    hasty.hurry(50)
  })
  afterAll(() => hasty.stop())

  it.each<readonly [string, Misanswer]>([
    ['sends nothing', () => undefined],
    ['sends the headers only', ({ response }) => response.flushHeaders()],
    ['sends half of the text', ({ response }) => void response.write('[{"id":0,')],
    ['sends one byte after another', ({ response }) => dripOn(response)],
    ['sends one interim response after another', ({ response }) => interimOn(response)],
  ])('and %s is unavailable', async (_name, misanswer) => {
    await expectStatuses(misanswer, UNAVAILABLE, hasty)
  })
})

/** Writes a byte each millisecond, until the connection closes. */
function dripOn(response: ServerResponse): void {
  if (!response.destroyed) {
    response.write(' ')
    systemClock.after(1, () => dripOn(response))
  }
}

function interimOn(response: ServerResponse): void {
  if (!response.destroyed) {
    response.writeProcessing()
    systemClock.after(1, () => interimOn(response))
  }
}
