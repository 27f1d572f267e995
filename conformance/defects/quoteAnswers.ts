import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changePolicy } from './helpers/ports.ts'
import { changeRanking } from './helpers/rules.ts'
import {
  answerOf,
  changeAnswers,
  changeBody,
  type Fields,
  fieldsOf,
  isFor,
  type Json,
  jsonOf,
  withFields,
  wrapService,
} from './helpers/wire.ts'

const quoting = (change: (body: Json, fields: Fields) => Json) => changeBody('quote', change)
const SLOW = { fanOutTimeoutMs: 60_000, venueTimeoutMs: 60_000, rpcTimeoutMs: 60_000 }

/** §4.1: mistakes in the response of a quote. */
export const quoteAnswerDefects: readonly Defect[] = [
  ...defectTable(quoting, {
    'quote.carries-a-transaction': [
      'quote.builds-nothing',
      'a quote contains the transaction that it simulated',
      (body) => ({ ...body, tx: { to: `0x${'5e'.repeat(20)}`, data: '0x', value: '0' } }),
    ],
    'quote.wrapped-in-data': [
      'quote.response.shape',
      'the body is wrapped in { data }',
      (data) => ({ data }),
    ],
    'quote.no-price-empty-route': [
      'quote.no-price.null-route',
      'the route of a pair without a price is {} instead of null',
      (body) => ({ ...body, route: body.route ?? {} }),
    ],
    'quote.no-price-echoes-fee': [
      'quote.no-price.zero-envelope',
      'the requested fee is echoed although there is no route',
      (body, { partnerFeeBps, partnerFeeRecipient }) => {
        if (body.route !== null || partnerFeeBps === undefined) return body
        const bps = Number(partnerFeeBps)
        return { ...body, partnerFeeBps: bps, totalFeeBps: bps, partnerFeeRecipient }
      },
    ],
    'quote.market-executable': [
      'quote.market.not-executable',
      'the market estimate is marked executable',
      ({ route }) => {
        if (route?.engine === 'market') route.executable = true
      },
    ],
  }),
  ...defectTable(wrapService, {
    'quote.forced-venue-lists-all': [
      'quote.prefer-engine.only',
      'a quote with preferEngine lists all venues as alternatives',
      (inject) => async (request) => {
        const answer = await inject(request)
        const fields = fieldsOf(request)
        const forced = fields.preferEngine ?? fields.engine
        if (!isFor('quote', request) || forced === undefined) return answer
        const body = jsonOf(answer)
        const free = jsonOf(
          await inject(withFields(request, { ...fields, preferEngine: undefined, engine: undefined })),
        )
        if (!body.route || !free.route) return answer
        const [winner] = body.route.alternatives
        const others = free.route.alternatives.filter(({ engine }: Json) => engine !== forced)
        const isBehind = ({ netAmountOut }: Json) => netAmountOut <= winner.netAmountOut
        const ahead = others.filter((other: Json) => !isBehind(other))
        body.route.alternatives = [winner, ...others.filter(isBehind), ...ahead]
        return { ...answer, body: JSON.stringify(body) }
      },
    ],
    'quote.forced-venue-falls-back': [
      'quote.prefer-engine.null-when-unpriced',
      'when the preferred venue cannot price the pair, another venue is quoted',
      (inject) => async (request) => {
        const answer = await inject(request)
        const { preferEngine, ...free } = fieldsOf(request)
        const isUnable =
          isFor('quote', request) && preferEngine !== undefined && jsonOf(answer)?.route === null
        return isUnable ? inject(withFields(request, free)) : answer
      },
    ],
  }),
  ...defectTable(changeAnswers, {
    'quote.no-price-404': [
      'quote.no-price.not-an-error',
      'a pair without a price is 404',
      (answer, request) => {
        const isNone = isFor('quote', request) && answer.statusCode === 200 && jsonOf(answer).route === null
        return isNone ? answerOf(404, { error: 'no route' }) : answer
      },
    ],
    'quote.refusal-without-cache-control': [
      'quote.cache-control.refusals',
      'a quote that is refused has no Cache-Control',
      (answer, request) => {
        if (!isFor('quote', request) || answer.statusCode < 400) return answer
        const { 'cache-control': _own, ...headers } = answer.headers
        return { ...answer, headers }
      },
    ],
    'quote.cacheable-for-a-second': [
      'quote.cache-control',
      'a quote may be cached for one second',
      (answer, request) =>
        isFor('quote', request)
          ? { ...answer, headers: { ...answer.headers, 'cache-control': 'private, max-age=1' } }
          : answer,
    ],
  }),
  ...defectTable(changePolicy, {
    'quote.hangs-for-a-minute': [
      'limits.quote-duration',
      'a quote waits a minute for a venue that hangs',
      { ...SLOW, quoteBudgetMs: 120_000 },
    ],
    'build.hangs-for-a-minute': [
      'limits.build-duration',
      'a build waits a minute for a venue that hangs',
      { ...SLOW, buildBudgetMs: 120_000 },
    ],
    'memo.fifteen-seconds': ['quote.memo.ends', 'quotes are memoized for 15 s', { memoMs: 15_000 }],
  }),
  defect(
    'quote.reverting-venue-listed',
    'alternatives.complete',
    'the venue that ranks last is not listed',
    changeRanking((ranked) => (ranked.length > 1 ? ranked.slice(0, -1) : ranked), 'quote'),
  ),
]
