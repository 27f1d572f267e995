import { expect, test } from 'vitest'
import { judgeDuration } from '../quote/duration.ts'
import { route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import type { ObservedAnswer } from './answer.ts'
import { judgeBuildCacheControl, judgeMemo, judgeQuoteCacheControl, type MemoFacts } from './cache.ts'

const answer = (cacheControl?: string, change: object = {}): ObservedAnswer => ({
  status: 200,
  headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl },
  json: { route: { ...route, ...change } },
})

test.each([
  ['private, no-store', 'pass'],
  ['no-store,Private', 'pass'],
  ['private, no-store, max-age=0', 'pass'],
  ['no-store', 'fail'],
  ['private', 'fail'],
  ['private, no-storex', 'fail'],
  [undefined, 'fail'],
])('a quote with Cache-Control %j', (header, outcome) => {
  expect(judgeQuoteCacheControl(answer(header)).outcome).toBe(outcome)
})

test.each([
  ['private, no-store', 'pass'],
  ['no-cache', 'pass'],
  [undefined, 'pass'],
  ['max-age=0', 'pass'],
  ['public', 'fail'],
  ['private, max-age=60', 'fail'],
  ['s-maxage=1', 'fail'],
])('a build with Cache-Control %j', (header, outcome) => {
  expect(judgeBuildCacheControl(answer(header)).outcome).toBe(outcome)
})

const other = { quoteId: '7f0f2a6e-4f4e-4d4c-8b8a-0123456789ab' }
const moved = { ...other, amountOut: 2480 }
const memo = (second: object, more: Partial<MemoFacts> = {}): MemoFacts => ({
  first: answer(),
  second: answer(undefined, second),
  sameParameters: true,
  elapsedMs: 1000,
  poolMoved: true,
  ...more,
})

test.each([
  ['a memo hit', memo({})],
  ['no memo', memo(moved)],
  ['a memo with an id of its own', memo(other)],
  ['live numbers after the memo', memo(moved, { elapsedMs: 3001 })],
  ['the same numbers of a pool that did not move', memo({}, { elapsedMs: 3001, poolMoved: false })],
  ['other parameters, other quote', memo(moved, { sameParameters: false })],
  ['other parameters, equal numbers', memo(other, { sameParameters: false })],
  ['no route', memo({}, { first: { status: 200, headers: {}, json: { route: null } } })],
])('honest: %s', (_case, honest) => {
  expect(failedRequirements(judgeMemo(honest))).toEqual([])
})

test('what a memo hit repeats is written down', () => {
  const identity = judgeMemo(memo({})).find((verdict) => verdict.requirement === 'quote.memo.identity')
  expect(identity?.actual).toBe('{"quoteId":true,"expiresAt":true}')
  expect(judgeMemo(memo(moved)).map((verdict) => verdict.outcome)).toEqual(['observed'])
})

test.each([
  ['keeps a memo too long', memo({}, { elapsedMs: 3001 }), ['quote.memo.ends']],
  ['keeps numbers under a new id too long', memo(other, { elapsedMs: 60_000 }), ['quote.memo.ends']],
  [
    'forgets a parameter in the key of its memo',
    memo({}, { sameParameters: false }),
    ['quote.memo.only-identical'],
  ],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeMemo(broken))).toEqual(failed)
})

test('a quote may take 15 s and a build 30 s, and not a millisecond more', () => {
  expect(judgeDuration('quote', 15_000, true)).toMatchObject({
    outcome: 'pass',
    boundaryClasses: ['hanging-venue'],
  })
  expect(judgeDuration('quote', 15_001, true).outcome).toBe('fail')
  expect(judgeDuration('build', 30_000, false).outcome).toBe('pass')
  expect(judgeDuration('build', 30_001, false)).toMatchObject({
    requirement: 'limits.build-duration',
    outcome: 'fail',
    actual: 'beyond the limit',
  })
})
