import { type Defect, defect } from './defect.ts'
import { policy } from './making/ports.ts'
import { reranked } from './making/rules.ts'
import {
  answerOf,
  type Fields,
  fieldsOf,
  inFront,
  isFor,
  type Json,
  jsonOf,
  showing,
  withFields,
} from './making/wire.ts'

/** An answer without a route, changed. */
const unpriced = (change: (body: Json, fields: Fields) => Json) =>
  showing('quote', (body, fields) => (body.route === null ? change(body, fields) : body))

/** Remembers answers of quotes by some of their parameters, for as long as the service lives or a time ends it. */
const remembering = (keyOf: (fields: Fields) => string) =>
  inFront((inject) => {
    const known = new Map<string, ReturnType<typeof inject>>()
    return (request) => {
      if (!isFor('quote', request)) return inject(request)
      const key = keyOf(fieldsOf(request))
      const answer = known.get(key) ?? inject(request)
      known.set(key, answer)
      return answer
    }
  })

/** §4.1: mistakes in what a quote answers, and in what it remembers. */
export const quoteAnswerDefects: readonly Defect[] = [
  defect(
    'quote.carries-a-transaction',
    'quote.builds-nothing',
    'a quote carries the transaction that it simulated',
    showing('quote', (body) => {
      body.tx = { to: `0x${'5e'.repeat(20)}`, data: '0x', value: '0' }
    }),
  ),
  defect(
    'quote.wrapped-in-data',
    'quote.response.shape',
    'the body is wrapped in { data }',
    showing('quote', (body) => ({ data: body })),
  ),
  defect(
    'quote.forced-venue-lists-all',
    'quote.prefer-engine.only',
    'with preferEngine all venues stand among the alternatives',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      const fields = fieldsOf(request)
      const forced = fields.preferEngine ?? fields.engine
      if (!isFor('quote', request) || forced === undefined) return answer
      const body = jsonOf(answer)
      const free = jsonOf(
        await inject(withFields(request, { ...fields, preferEngine: undefined, engine: undefined })),
      )
      if (!body.route || !free.route) return answer
      const others = free.route.alternatives.filter(({ engine }: Json) => engine !== forced)
      const [winner] = body.route.alternatives
      const behind = others.filter(({ netAmountOut }: Json) => netAmountOut <= winner.netAmountOut)
      body.route.alternatives = [
        winner,
        ...behind,
        ...others.filter((other: Json) => !behind.includes(other)),
      ]
      return { ...answer, body: JSON.stringify(body) }
    }),
  ),
  defect(
    'quote.forced-venue-falls-back',
    'quote.prefer-engine.null-when-unpriced',
    'a preferred venue that cannot price is replaced by any that can',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      const { preferEngine, ...free } = fieldsOf(request)
      const unable = isFor('quote', request) && preferEngine !== undefined && jsonOf(answer)?.route === null
      return unable ? inject(withFields(request, free)) : answer
    }),
  ),
  defect(
    'quote.no-price-empty-route',
    'quote.no-price.null-route',
    'a pair that nobody can price has an empty object for a route',
    unpriced((body) => ({ ...body, route: {} })),
  ),
  defect(
    'quote.no-price-404',
    'quote.no-price.not-an-error',
    'a pair that nobody can price is 404',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      const none = isFor('quote', request) && answer.statusCode === 200 && jsonOf(answer).route === null
      return none ? answerOf(404, { error: 'no route' }) : answer
    }),
  ),
  defect(
    'quote.no-price-echoes-fee',
    'quote.no-price.zero-envelope',
    'without a route the fee that was asked for is echoed all the same',
    unpriced((body, { partnerFeeBps, partnerFeeRecipient }) =>
      partnerFeeBps === undefined
        ? body
        : {
            ...body,
            partnerFeeBps: Number(partnerFeeBps),
            totalFeeBps: Number(partnerFeeBps),
            partnerFeeRecipient,
          },
    ),
  ),
  defect(
    'quote.market-executable',
    'quote.market.not-executable',
    'the market estimate says that it is executable',
    showing('quote', ({ route }) => {
      if (route?.engine === 'market') route.executable = true
    }),
  ),
  defect(
    'quote.cacheable-for-a-second',
    'quote.cache-control',
    'a quote may be cached for as long as it is memoized',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      if (!isFor('quote', request)) return answer
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'private, max-age=1' } }
    }),
  ),
  defect(
    'memo.key-without-slippage',
    'quote.memo.only-identical',
    'the memo does not look at slippageBps',
    remembering(({ slippageBps: _ignored, ...fields }) => JSON.stringify(fields)),
  ),
  defect(
    'memo.never-ends',
    'quote.memo.ends',
    'nothing ever leaves the memo',
    remembering((fields) => JSON.stringify(fields)),
  ),
  defect(
    'memo.fifteen-seconds',
    'limits.memo',
    'the memo holds for as long as a quote is valid, 15 s',
    policy({ memoMs: 15_000 }),
  ),
  defect(
    'quote.hangs-for-a-minute',
    'limits.quote-duration',
    'a venue that hangs is waited for, a minute long',
    policy({ quoteBudgetMs: 120_000, fanOutTimeoutMs: 60_000, venueTimeoutMs: 60_000, rpcTimeoutMs: 60_000 }),
  ),
  defect(
    'build.hangs-for-a-minute',
    'limits.build-duration',
    'a venue that hangs is waited for, a minute long',
    policy({ buildBudgetMs: 120_000, fanOutTimeoutMs: 60_000, venueTimeoutMs: 60_000, rpcTimeoutMs: 60_000 }),
  ),
  defect(
    'quote.reverting-venue-listed',
    'alternatives.complete',
    'a venue that ranks last is left out as too small to show',
    reranked((ranked) => (ranked.length > 1 ? ranked.slice(0, -1) : ranked), 'quote'),
  ),
]
