import type { InjectedAnswer } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { NO_ROUTE } from '../defects/helpers/values.ts'
import { answerOf, type Endpoint, type Json, jsonOf } from '../defects/helpers/wire.ts'
import { BUILD, type Edit, QUOTE_ROUTE, ROUTE } from './edits.ts'
import type { Change } from './fault.ts'
import type { Scene } from './scene.ts'

/** Groups of conditions that do not apply to a refusal, which concerns no swap and no venue. */
const NO_SWAP = ['venue', 'side', 'fee', 'slippage', 'forced', 'amount', 'token', 'caller']
/** Statuses of reports of builds that the reference knows. */
const REPORTED: ReadonlySet<string> = new Set(['confirm 202', 'confirm 422', 'confirm 409', 'confirm 503'])

const response =
  (of: Endpoint) =>
  (
    breaks: RequirementId,
    change: (answer: InjectedAnswer, scene: Scene) => InjectedAnswer | null,
  ): Change => ({
    of,
    breaks,
    fault: { at: 'response', change },
  })

/** Returns a change that edits the body of a 200 in place. */
const edited = (of: Endpoint) => (breaks: RequirementId, edit: Edit) =>
  response(of)(breaks, (answer, scene) => {
    if (answer.statusCode !== 200) return null
    const body = jsonOf(answer)
    edit(body, scene)
    return { ...answer, body: JSON.stringify(body) }
  })

/** Returns a change that replaces one status with another; the body stays unless another is given. */
const status =
  (of: Endpoint) =>
  (from: number, to: number, breaks: RequirementId, body?: Json): Change =>
    response(of)(breaks, (answer) =>
      answer.statusCode === from ? answerOf(to, body ?? jsonOf(answer), { 'retry-after': '5' }) : null,
    )

/** Returns an edit of a route on a venue; the numbers of a `market` estimate are unspecified. */
const onRoute =
  (edit: (route: Json, body: Json, scene: Scene) => unknown): Edit =>
  (body, scene) => {
    if (body.route && body.route.engine !== 'market') edit(body.route, body, scene)
  }

const quote = edited('quote')
const build = edited('build')
const NO_VENUE = { error: 'no executable route' }
const RECORDED = { recorded: true, alreadyRecorded: false }

const STATUS: readonly (readonly [Endpoint, number, number, RequirementId, Json?])[] = [
  ['quote', 200, 502, 'quote.response.shape', { error: 'quote failed' }],
  ['build', 200, 422, 'build.response.route', NO_VENUE],
  ['build', 200, 502, 'build.response.route', { error: 'build failed' }],
  ['build', 400, 500, 'build.bad-request.body', { error: 'internal' }],
  ['build', 422, 404, 'build.no-executable-route.no-venue'],
  ['build', 422, 502, 'build.no-executable-route.no-venue', { error: 'build failed' }],
  ['build', 502, 500, 'build.upstream-failure'],
  ['build', 502, 422, 'build.upstream-failure', NO_VENUE],
  ['confirm', 200, 202, 'confirm.recorded', {}],
  ['confirm', 200, 409, 'confirm.recorded', { error: 'attributed' }],
  ['confirm', 200, 422, 'confirm.recorded', { error: 'mismatch' }],
  ['confirm', 202, 404, 'confirm.pending'],
  ['confirm', 202, 422, 'confirm.pending'],
  ['confirm', 202, 200, 'confirm.depth.twelve', RECORDED],
  ['confirm', 202, 503, 'confirm.pending'],
  ['confirm', 422, 202, 'confirm.rejected.mismatched'],
  ['confirm', 422, 200, 'confirm.rejected.mismatched', RECORDED],
  ['confirm', 422, 404, 'confirm.rejected.mismatched'],
  ['confirm', 409, 200, 'confirm.conflict.build', { recorded: true, alreadyRecorded: true }],
  ['confirm', 409, 404, 'confirm.conflict.build'],
  ['confirm', 404, 200, 'confirm.build-not-found', RECORDED],
  ['confirm', 404, 401, 'confirm.build-not-found'],
  ['confirm', 404, 202, 'confirm.build-not-found'],
  ['confirm', 401, 404, 'confirm.unauthorized'],
  ['confirm', 401, 202, 'confirm.unauthorized'],
  ['confirm', 400, 422, 'confirm.bad-request.json'],
  ['confirm', 400, 404, 'confirm.bad-request.build-id'],
  ['confirm', 400, 202, 'confirm.bad-request.tx-hash'],
  ['confirm', 503, 500, 'confirm.unavailable'],
  ['confirm', 503, 202, 'confirm.unavailable'],
  ['confirm', 503, 422, 'confirm.unavailable'],
  ['confirm', 503, 200, 'confirm.unavailable', RECORDED],
]

/** Faults in responses, by a description of the defect. */
export const RESPONSES: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    Object.entries(ROUTE).flatMap(([name, [breaks, edit]]) => [
      [`quote: ${name}`, quote(breaks, onRoute(edit))],
      [`build: ${name}`, build(breaks, onRoute(edit))],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(QUOTE_ROUTE).map(([name, [breaks, edit]]) => [
      `quote: ${name}`,
      quote(breaks, onRoute(edit)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(BUILD).map(([name, [breaks, edit]]) => [`build: ${name}`, build(breaks, edit)]),
  ),
  ...Object.fromEntries(
    STATUS.map(([of, from, to, breaks, body]) => [
      `${of}: ${to} in place of ${from}`,
      {
        ...status(of)(from, to, breaks, body),
        ...(from === 200 || REPORTED.has(`${of} ${from}`) ? {} : { never: NO_SWAP }),
      },
    ]),
  ),
  'quote: route is null': quote('route.null-or-object', (body) => {
    if (body.route && body.route.engine !== 'market') Object.assign(body, NO_ROUTE)
  }),
  'quote: Cache-Control is missing': response('quote')('quote.cache-control', (answer) =>
    answer.statusCode === 200
      ? { ...answer, headers: { ...answer.headers, 'cache-control': undefined } }
      : null,
  ),
  'build: Cache-Control allows a minute': response('build')('build.never-cached', (answer) =>
    answer.statusCode === 200
      ? { ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=60' } }
      : null,
  ),
  'build: the body of 422 has another text': response('build')('build.no-executable-route.body', (answer) =>
    answer.statusCode === 422 ? { ...answer, body: JSON.stringify({ error: 'no route' }) } : null,
  ),
  'confirm: Retry-After is missing': response('confirm')('confirm.retry-after', (answer) =>
    answer.statusCode === 202
      ? { ...answer, headers: { ...answer.headers, 'retry-after': undefined } }
      : null,
  ),
  'confirm: recorded is false': edited('confirm')('confirm.recorded', (body) => (body.recorded = false)),
  'confirm: the body of 200 is empty': edited('confirm')('confirm.result-body', (body) => {
    delete body.recorded
    delete body.alreadyRecorded
  }),
}
