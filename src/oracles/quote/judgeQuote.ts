import { membersOf } from '../../spec/json.ts'
import type { EarlierQuote, ObservedResponse, QuoteObservation } from '../observation.ts'
import { bodyOf } from '../response/answer.ts'
import { judgeMemo, judgeQuoteCacheControl, judgeRefusalCacheControl } from '../response/cache.ts'
import { judgeNoPrice, judgeQuoteRefusal } from '../response/errors.ts'
import { judgeRouteBody, type RouteJudgement } from '../route/judgeRouteBody.ts'
import { judgeDistinctQuoteIds } from '../route/route.ts'
import { asOneFinding, following, judge, type Verdict } from '../verdict.ts'
import { judgeDuration } from './duration.ts'

/** Judges one quote (§4.1) by the known facts: its status, headers, fee envelope and route. */
export function judgeQuote(observation: QuoteObservation): RouteJudgement {
  const { response, earlier = [] } = observation
  const status = judgeStatus(observation)
  const verdicts = [...judgeDurationOf('quote', response), ...status]
  const { mustBe } = observation.intent
  verdicts.push(...judgeRefusalCacheControl(response))
  if (response.status !== 200 || mustBe === 'refused') return { verdicts, route: null }
  const { envelope, verdicts: judged, route } = judgeRouteBody('quote', bodyOf(response), observation)
  // If there is a route where there must be none, or none where there must be one, other failures follow from that.
  verdicts.push(judgeQuoteCacheControl(response), ...envelope, ...following(status, judged))
  for (const before of earlier) verdicts.push(...judgeAfter(before, response))
  return { verdicts, route }
}

/** Judges the duration of a response, if the observation says whether something hangs. */
export function judgeDurationOf(
  endpoint: 'quote' | 'build',
  { requestedAtMs, respondedAtMs, hanging }: ObservedResponse,
): readonly Verdict[] {
  return hanging === undefined ? [] : [judgeDuration(endpoint, respondedAtMs - requestedAtMs, hanging)]
}

/** Judges the status against the required outcome. */
function judgeStatus({ request, response, intent, pools }: QuoteObservation): readonly Verdict[] {
  const { mustBe, clauses = [], boundaryClasses } = intent
  const { status } = response
  const { route } = bodyOf(response)
  const details = { actual: seenOf(response), boundaryClasses }
  switch (mustBe) {
    case 'anything':
      return []
    case 'refused':
      return asOneFinding(clauses.flatMap((clause) => judgeQuoteRefusal(clause, response))).map(
        (verdict) => ({ ...verdict, ...(boundaryClasses === undefined ? {} : { boundaryClasses }) }),
      )
    case 'unpriced': {
      const holds = status === 200 && route === null
      const expected = '200 with route null'
      return asOneFinding([
        ...clauses.map((clause) => judge(clause, holds, { ...details, expected })),
        ...judgeNoPrice(response),
      ])
    }
    default: {
      // An amount below one base unit may be refused or get no route: which is not shown.
      if (request.swap?.facts.amountInRaw === 0n && status >= 400 && status < 500) return []
      const isServed = status === 200 && (mustBe === 'served' || route !== null)
      const expected = mustBe === 'served' ? 'status 200' : 'status 200 and a route'
      const verdicts = [
        judge('quote.response.shape', status === 200, { ...details, expected: 'status 200' }),
        ...clauses.map((clause) => judge(clause, isServed, { ...details, expected })),
      ]
      // A pair that a venue can surely price shows nothing about pairs without a price.
      const isPriced = pools.models !== null && pools.models.size > 0
      if ((status === 200 && route === null) || (status !== 200 && !isPriced))
        verdicts.push(judge('quote.no-price.not-an-error', status === 200, { ...details, expected }))
      return asOneFinding(verdicts)
    }
  }
}

function judgeAfter(
  { answer, ...between }: EarlierQuote,
  response: QuoteObservation['response'],
): readonly Verdict[] {
  const memo = judgeMemo({ first: answer, second: response, ...between })
  const ids = [answer, response].flatMap((each) => quoteIdOf(each) ?? [])
  return between.sameParameters || ids.length < 2 ? memo : [...memo, judgeDistinctQuoteIds(ids)]
}

function quoteIdOf(answer: EarlierQuote['answer']): string | undefined {
  const { quoteId } = membersOf(bodyOf(answer).route)
  return typeof quoteId === 'string' ? quoteId : undefined
}

/** Returns status and body as one line. */
export function seenOf({ status, json }: Pick<ObservedResponse, 'status' | 'json'>): string {
  return `status ${status} ${JSON.stringify(json)}`
}
