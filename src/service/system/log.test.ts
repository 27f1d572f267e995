import { describe, expect, it } from 'vitest'
import { createLog, type LogLevel } from './log.ts'

/** Returns a log and the lines that it wrote. */
function logInto(level: LogLevel = 'info') {
  const lines: string[] = []
  const clock = { nowMs: () => 1_700_000_000_123, monotonicMs: () => 0, after: () => () => undefined }
  const log = createLog({ clock, level, stream: { write: (line) => lines.push(line) } })
  return { log, lines }
}

it('writes one JSON object a line, with the time of the clock port', () => {
  const { log, lines } = logInto()
  log.info('request', { status: 200, amountRaw: 5n })
  expect(lines).toEqual([
    '{"level":"info","timeMs":1700000000123,"status":200,"amountRaw":"5","event":"request"}\n',
  ])
})

it.each([
  ['info', 3],
  ['warn', 2],
  ['error', 1],
  ['silent', 0],
] as const)('at level %s writes %i of an info, a warning and an error', (level, count) => {
  const { log, lines } = logInto(level)
  log.info('a', {})
  log.warn('b', {})
  log.error('c', {})
  expect(lines).toHaveLength(count)
})

describe('secrets', () => {
  const SECRET = 'pl_0123456789abcdef'

  it.each<[string, Record<string, unknown>]>([
    ['a header by name', { headers: { Authorization: `Bearer ${SECRET}` } }],
    ['a header in other case', { headers: { 'PROXY-authorization': SECRET } }],
    ['an API key', { apiKey: SECRET }],
    ['an API key with hyphens', { 'x-api-key': SECRET }],
    ['a secret', { issued: [{ secret: SECRET }] }],
    ['a password', { db: { password: SECRET } }],
    ['a bearer credential inside a text', { message: `header was "Bearer ${SECRET}"` }],
    ['a bearer credential in other case', { message: `bearer   ${SECRET}, refused` }],
    ['a database address', { url: `postgres://user:${SECRET}@db.example/x` }],
    ['a key in the query of an address', { url: `https://rpc.example/v1?apikey=${SECRET}` }],
    ['an error', { error: new Error(`Bearer ${SECRET}`) }],
    ['the cause of an error', { error: new Error('x', { cause: new Error(`Bearer ${SECRET}`) }) }],
    ['a field of an error', { error: Object.assign(new Error('x'), { secret: SECRET }) }],
  ])('never writes %s', (_, fields) => {
    const { log, lines } = logInto()
    log.error('failed', fields)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain(SECRET)
  })

  it('writes what only looks near to one', () => {
    const { log, lines } = logInto()
    log.info('x', {
      keyId: 'k1',
      token: 'USDG',
      url: 'http://127.0.0.1:8545/path',
      text: 'the bearer of news',
    })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      keyId: 'k1',
      token: 'USDG',
      url: 'http://127.0.0.1:8545/path',
    })
  })

  it('ends on a ring of objects', () => {
    const ring: Record<string, unknown> = {}
    ring.self = ring
    const { log, lines } = logInto()
    log.info('x', ring)
    expect(lines[0]).toContain('[too deep]')
  })
})

it('writes the stack of an error', () => {
  const { log, lines } = logInto()
  log.error('bug', { error: new TypeError('undefined is not a function') })
  expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
    name: 'TypeError',
    message: 'undefined is not a function',
    stack: expect.stringContaining('log.test.ts'),
  })
})
