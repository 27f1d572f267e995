import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HttpRequest, HttpResponse, Transport } from '../../spec/exchange.ts'
import { createRealPace } from './realPace.ts'

const QUOTE: HttpRequest = { method: 'GET', path: '/api/v1/quote?from=ETH', headers: {}, body: null }
const line = { inject: async () => {}, restore: async () => {}, interrupt: null }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns a pace whose target responds with these statuses in turn, and with 200 after them. */
function paceOf(...statuses: readonly number[]) {
  const left = [...statuses]
  const sent: HttpRequest[] = []
  const transport: Transport = async (request): Promise<HttpResponse> => {
    sent.push(request)
    return { status: left.shift() ?? 200, headers: { 'retry-after': '2' }, body: '{}' }
  }
  const pace = createRealPace(transport, { stateOfChain: null, clockAheadMs: 0, budgetWindowS: null })
  return { pace, sent }
}

async function withTime<Value>(work: Promise<Value>): Promise<Value> {
  await vi.runAllTimersAsync()
  return work
}

test.each([502, 503])(
  'a single %i is sent again after Retry-After, and the wait is counted',
  async (status) => {
    const { pace, sent } = paceOf(status)
    const response = await withTime(pace.transport('obey-429')(QUOTE))
    expect([response.status, sent.length]).toEqual([200, 2])
    expect(pace.takeWaitedMs()).toEqual({ unavailable: 2_000 })
  },
)

test('a second 502 is the response', async () => {
  const { pace, sent } = paceOf(502, 502)
  const response = await withTime(pace.transport('obey-429')(QUOTE))
  expect([response.status, sent.length]).toEqual([502, 2])
})

test('while the line to the chain fails, 502 is the response, and not sent again', async () => {
  const { pace, sent } = paceOf(502, 502)
  const counted = pace.counted(line)
  await counted.inject('down')
  expect((await withTime(pace.transport('obey-429')(QUOTE))).status).toBe(502)
  expect(sent.length).toBe(1)
  await counted.restore()
  expect((await withTime(pace.transport('obey-429')(QUOTE))).status).toBe(200)
})

test('a client without patience gets the 503', async () => {
  const { pace, sent } = paceOf(503)
  expect((await withTime(pace.transport('none')(QUOTE))).status).toBe(503)
  expect(sent.length).toBe(1)
})

const answerOf = (status: number, retryAfter = '2') => ({
  status,
  headers: { 'retry-after': retryAfter },
  json: {},
  exchange: { request: QUOTE, response: { status, headers: {}, body: '{}' } },
})

/** Returns a report that is pending until this attempt. */
function reportsUntil(last: number) {
  const reports = { sent: 0 }
  const send = async () => {
    reports.sent += 1
    return answerOf(reports.sent < last ? 202 : 200)
  }
  return { reports, send }
}

test('a report is sent again until it is final, for ten seconds at most', async () => {
  const { pace } = paceOf()
  const soon = reportsUntil(3)
  expect((await withTime(pace.untilFinal(answerOf(202), soon.send))).status).toBe(200)
  expect(soon.reports.sent).toBe(3)
  const late = reportsUntil(7)
  expect((await withTime(pace.untilFinal(answerOf(202), late.send))).status).toBe(202)
  expect(late.reports.sent).toBe(5)
  expect((await withTime(pace.untilFinal(answerOf(202, '11'), late.send))).status).toBe(202)
  expect(late.reports.sent).toBe(6)
})

test('a report of a service that saw an older head is sent again after ten seconds, even if it states a later time', async () => {
  const { pace } = paceOf()
  const { send } = reportsUntil(1)
  expect((await withTime(pace.untilFinal(answerOf(202, '12'), send))).status).toBe(200)
})

test('after three reports that stayed pending no other is waited for', async () => {
  const { pace } = paceOf()
  const never = reportsUntil(1_000)
  for (let report = 0; report < 4; report += 1) await withTime(pace.untilFinal(answerOf(202), never.send))
  expect(never.reports.sent).toBe(15)
})
