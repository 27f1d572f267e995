import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Exchange } from '../../spec/exchange.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { KEPT, keepCases, keepExchange, keepText } from './kept.ts'

const KEY = 'plk_0123456789abcdef0123456789abcdef'
const redact = redactorOf([KEY])

const exchangeOf = (body: string, more: Partial<Exchange['response']> = {}): Exchange => ({
  request: { method: 'POST', path: '/api/v1/swap/build', headers: {}, body: '{}' },
  response: { status: 200, headers: {}, body, ...more },
})

it('keeps a body of the largest length whole, and of a longer one its beginning, size and digest', () => {
  const whole = 'a'.repeat(KEPT.bodyCharacters)
  expect(keepExchange(exchangeOf(whole), redact).response.body).toBe(whole)
  const longer = `${whole}é`
  const digest = createHash('sha256').update(longer, 'utf8').digest('hex')
  expect(keepExchange(exchangeOf(longer), redact).response.body).toBe(
    `${whole}… (cut: 16386 bytes read, SHA-256 ${digest})`,
  )
})

it('cuts the body of a request and its path like that of a response', () => {
  const long = 'x'.repeat(KEPT.bodyCharacters + 1)
  const { request } = keepExchange(
    { ...exchangeOf('{}'), request: { method: 'GET', path: `/${long}`, headers: {}, body: long } },
    redact,
  )
  expect(request.path).toMatch(/^\/x+… \(cut: 16386 bytes read, SHA-256 [0-9a-f]{64}\)$/)
  expect(request.body).toMatch(/^x+… \(cut: 16385 bytes read, SHA-256 [0-9a-f]{64}\)$/)
})

it('leaves no part of a key at the place of a cut', () => {
  for (let before = KEPT.bodyCharacters - KEY.length; before <= KEPT.bodyCharacters; before += 1) {
    const { body } = keepExchange(exchangeOf(`${'a'.repeat(before)}${KEY} end`), redact).response
    expect(body).not.toContain(KEY.slice(0, 8))
  }
  const text = keepText(`${'a'.repeat(KEPT.textCharacters - 10)}${KEY}`, redact)
  expect(text).not.toContain(KEY.slice(0, 8))
})

it('keeps headers up to a limit for all of them, the first ones first', () => {
  const headers = { first: 'a'.repeat(100), large: 'b'.repeat(KEPT.bodyCharacters), last: 'c' }
  const kept = keepExchange(exchangeOf('{}', { headers }), redact).response.headers
  expect(Object.keys(kept)).toEqual(['first'])
  expect(kept.first).toBe(headers.first)
})

it('keeps the bodies of a run up to its limit, and of the cases after it the beginnings', () => {
  const body = 'b'.repeat(KEPT.bodyCharacters)
  const perRun = Math.floor(KEPT.runCharacters / (KEPT.bodyCharacters + 2))
  const cases = Array.from({ length: perRun + 2 }, () => ({ failure: { exchanges: [exchangeOf(body)] } }))
  const bodies = keepCases([{ failure: null }, ...cases])
    .slice(1)
    .map(({ failure }) => failure?.exchanges[0]?.response.body)
  expect(bodies.slice(0, perRun)).toEqual(Array(perRun).fill(body))
  const beginning = `${'b'.repeat(KEPT.beginningCharacters)}… (cut: ${body.length} characters in all)`
  expect(bodies.slice(perRun)).toEqual([beginning, beginning])
})
