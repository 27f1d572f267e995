import { expect, test } from 'vitest'
import { failedRequirements } from '../verdict.ts'
import type { ObservedAnswer } from './answer.ts'
import {
  judgeBuildFailure,
  judgeBuildRefusal,
  judgeNoExecutableRoute,
  judgeNoPrice,
  judgeQuoteRefusal,
} from './errors.ts'

const answer = (status: number, json: unknown = { error: 'no' }): ObservedAnswer => ({
  status,
  headers: {},
  json,
})

test.each([400, 404, 422])('a quote may refuse bad input with %d, and that is written down', (status) => {
  const verdicts = judgeQuoteRefusal('quote.slippage.range', answer(status))
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['pass', 'observed'])
})

test.each([
  ['prices bad input', 200, { route: { engine: 'venue_a' } }],
  ['answers bad input with an empty body', 200, {}],
  ['breaks on bad input', 500, {}],
  ['redirects bad input', 302, undefined],
])('catches a quote that %s', (_broken, status, json) => {
  const verdicts = judgeQuoteRefusal('quote.slippage.range', answer(status, json))
  expect(failedRequirements(verdicts)).toEqual(['quote.slippage.range'])
  // Such a response is not a refusal, so it does not show how a quote refuses.
  expect(verdicts).toHaveLength(1)
})

test('a quote may refuse bad input with 200 and no route', () => {
  const verdicts = judgeQuoteRefusal('quote.slippage.range', answer(200, { route: null }))
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['pass', 'observed'])
  expect(failedRequirements(judgeQuoteRefusal('quote.slippage.range', answer(500, { route: null })))).toEqual(
    ['quote.slippage.range'],
  )
})

test.each([401, 403, 429])('a %d says nothing about the input', (status) => {
  expect(judgeQuoteRefusal('quote.slippage.range', answer(status)).map((verdict) => verdict.outcome)).toEqual(
    ['observed'],
  )
  expect(judgeBuildRefusal('build.sender.valid', answer(status)).map((verdict) => verdict.outcome)).toEqual([
    'observed',
  ])
})

test('a build refuses bad input with 400 and a message', () => {
  expect(failedRequirements(judgeBuildRefusal('build.bad-request.json', answer(400)))).toEqual([])
})

test.each([
  'build.bad-request.invalid-address',
  'build.bad-request.slippage',
  'build.bad-request.fee-without-recipient',
  'build.bad-request.sender',
  'build.bad-request.json',
  'build.sender.required',
  'build.sender.valid',
  'build.partner-fee.requires-recipient',
  'build.partner-fee-recipient.address',
] as const)('%s is 400 alone', (requirement) => {
  expect(failedRequirements(judgeBuildRefusal(requirement, answer(422)))).toEqual([requirement])
})

test('what §7 does not list for 400 may be 422 with any body, and nothing else', () => {
  const judgeIt = (status: number, json?: unknown) =>
    failedRequirements(judgeBuildRefusal('build.from.required', answer(status, json)))
  expect(judgeIt(400)).toEqual([])
  expect(judgeIt(422, { problems: ['from'] })).toEqual([])
  expect(judgeIt(400, { problems: ['from'] })).toEqual(['build.bad-request.body'])
  expect([200, 404, 409, 500, 502].map((status) => judgeIt(status))).toEqual(
    Array(5).fill(['build.from.required']),
  )
})

test.each([
  ['answers 404 to bad input', answer(404), 'build.sender.valid'],
  ['builds from bad input', answer(200, {}), 'build.sender.valid'],
  ['sends an empty message', answer(400, { error: ' ' }), 'build.bad-request.body'],
  ['sends an object as the message', answer(400, { error: { code: 1 } }), 'build.bad-request.body'],
  ['sends text instead of JSON', { status: 400, headers: {}, json: undefined }, 'build.bad-request.body'],
  ['calls the message differently', answer(400, { message: 'no' }), 'build.bad-request.body'],
])('catches a build that %s', (_broken, broken, requirement) => {
  expect(failedRequirements(judgeBuildRefusal('build.sender.valid', broken))).toEqual([requirement])
})

test('a build without a route is 422 with its exact body', () => {
  const judgeIt = (seen: ObservedAnswer) =>
    failedRequirements(judgeNoExecutableRoute('build.no-executable-route.no-venue', seen))
  expect(judgeIt(answer(422, { error: 'no executable route' }))).toEqual([])
  expect(judgeIt(answer(422, { error: 'no executable route', requestId: 'x' }))).toEqual([])
  expect(judgeIt(answer(422, { error: 'No route' }))).toEqual(['build.no-executable-route.body'])
  expect(judgeIt(answer(404, { error: 'no executable route' }))).toEqual([
    'build.no-executable-route.no-venue',
  ])
  expect(judgeIt(answer(502, { error: 'build failed' }))).toEqual(['build.no-executable-route.no-venue'])
})

test('a build without a chain is 502 with its exact body', () => {
  expect(judgeBuildFailure(answer(502, { error: 'build failed' })).outcome).toBe('pass')
  expect(judgeBuildFailure(answer(502, { error: 'ECONNREFUSED' })).outcome).toBe('fail')
  expect(judgeBuildFailure(answer(500, { error: 'build failed' })).outcome).toBe('fail')
  expect(judgeBuildFailure(answer(422, { error: 'no executable route' })).outcome).toBe('fail')
})

test('a pair without a price is 200 with route null', () => {
  const judgeIt = (status: number, json: unknown) => failedRequirements(judgeNoPrice(answer(status, json)))
  expect(judgeIt(200, { route: null })).toEqual([])
  expect(judgeIt(200, {})).toEqual(['quote.no-price.null-route'])
  expect(judgeIt(200, { route: { engine: 'market' } })).toEqual(['quote.no-price.null-route'])
  expect(judgeIt(404, { error: 'no route' })).toEqual([
    'quote.no-price.not-an-error',
    'quote.no-price.null-route',
  ])
})
