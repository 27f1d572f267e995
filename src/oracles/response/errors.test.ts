import { expect, test } from 'vitest'
import type { RequirementId } from '../../spec/requirements/index.ts'
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

/** A refusal also shows how a quote refuses; a response that is not a refusal does not. */
const REFUSED = ['pass', 'observed']
test.each<[string, number, unknown, readonly string[]]>([
  ['refuses with 400', 400, {}, REFUSED],
  ['refuses with 404', 404, {}, REFUSED],
  ['refuses with 422', 422, {}, REFUSED],
  ['refuses with 200 and no route', 200, { route: null }, REFUSED],
  ['prices bad input', 200, { route: { engine: 'venue_a' } }, ['fail']],
  ['answers bad input with an empty body', 200, {}, ['fail']],
  ['breaks on bad input', 500, {}, ['fail']],
  ['breaks on bad input, with no route', 500, { route: null }, ['fail']],
  ['redirects bad input', 302, undefined, ['fail']],
])('a quote that %s', (_how, status, json, outcomes) => {
  const verdicts = judgeQuoteRefusal('quote.slippage.range', answer(status, json))
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(outcomes)
})

test.each([401, 403, 429])('a %d says nothing about the input', (status) => {
  const ofQuote = judgeQuoteRefusal('quote.slippage.range', answer(status))
  const ofBuild = judgeBuildRefusal('build.sender.valid', answer(status))
  expect([ofQuote, ofBuild].map(([first]) => first?.outcome)).toEqual(['observed', 'observed'])
  expect([...ofQuote, ...ofBuild]).toHaveLength(2)
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

const [LISTED, UNLISTED] = ['build.sender.valid', 'build.from.required'] as const
test.each<[string, RequirementId, ObservedAnswer, readonly string[]]>([
  ['refuses with 400 and a message', LISTED, answer(400), []],
  ['answers 404 to bad input', LISTED, answer(404), [LISTED]],
  ['builds from bad input', LISTED, answer(200, {}), [LISTED]],
  ['sends an empty message', LISTED, answer(400, { error: ' ' }), ['build.bad-request.body']],
  ['sends an object as the message', LISTED, answer(400, { error: { code: 1 } }), ['build.bad-request.body']],
  ['sends text', LISTED, { status: 400, headers: {}, json: undefined }, ['build.bad-request.body']],
  ['calls the message differently', LISTED, answer(400, { message: 'no' }), ['build.bad-request.body']],
  ['refuses with 400 what §7 does not list', UNLISTED, answer(400), []],
  ['refuses with 422 and any body what §7 does not list', UNLISTED, answer(422, { problems: ['from'] }), []],
  ['sends 400 without a message', UNLISTED, answer(400, { problems: ['from'] }), ['build.bad-request.body']],
  ...[200, 404, 409, 500, 502].map(
    (status) => [`sends ${status}`, UNLISTED, answer(status), [UNLISTED]] as never,
  ),
])('a build that %s', (_how, requirement, received, failed) => {
  expect(failedRequirements(judgeBuildRefusal(requirement, received))).toEqual(failed)
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
