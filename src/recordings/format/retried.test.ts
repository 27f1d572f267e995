import { expect, test } from 'vitest'
import type { Drafts } from './drafts.ts'
import { retriedIn } from './retried.ts'

/** Returns a recording from outside: one request repeated with these statuses, and reports of some of them. */
function recorded(statuses: readonly number[], reported: readonly number[] = []): Drafts {
  const https = statuses.map((status, id) => ({
    ...{ kind: 'http', id, method: 'POST', path: '/api/v1/swap/confirm', body: '{}', key: null },
    answer: { status },
  }))
  const reports = reported.map((http) => ({ kind: 'report', http }))
  return [{ kind: 'manifest', outside: {} }, ...https, ...reports] as unknown as Drafts
}

test.each([
  ['one 503 before a response', [503, 200], [0]],
  ['of two in a row the first', [503, 502, 200], [0]],
  ['every 429 before a response', [429, 429, 200], [0, 1]],
  ['a 503 and every 429', [429, 503, 429, 503, 200], [0, 1, 2]],
  ['no last response', [429], []],
])('was sent again: %s', (_what, statuses, retried) => {
  expect([...retriedIn(recorded(statuses))]).toEqual(retried)
})

test('a 429 that has a report is judged', () => {
  expect([...retriedIn(recorded([200, 429, 429], [1, 2]))]).toEqual([])
})
