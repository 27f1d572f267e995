import { LIMITS } from '../../spec/limits.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { judge, observe, observeChoice, show, type Verdict } from '../verdict.ts'
import { bodyOf, type ObservedAnswer } from './answer.ts'
import { NO_EVIDENCE } from './errors.ts'

/** Factor of `LIMITS.memoMs` within which a response may be repeated: twice "about 1.5 s" is certainly beyond it. */
const MEMO_SLACK = 2

/** Judges `Cache-Control` of a quote answered 200 (§4.1 rule 3): `private` and `no-store`, in any order. */
export function judgeQuoteCacheControl(answer: ObservedAnswer): Verdict {
  return judgePrivate('quote.cache-control', answer)
}

/** Judges `Cache-Control` of a quote that was refused or failed, unless it was rejected before its input was read. */
export function judgeRefusalCacheControl(answer: ObservedAnswer): readonly Verdict[] {
  if (answer.status < 400 || NO_EVIDENCE.has(answer.status)) return []
  return [judgePrivate('quote.cache-control.refusals', answer)]
}

function judgePrivate(requirement: RequirementId, answer: ObservedAnswer): Verdict {
  const directives = directivesOf(answer)
  return judge(requirement, directives.includes('private') && directives.includes('no-store'), {
    expected: 'private, no-store',
    actual: answer.headers['cache-control'],
  })
}

/**
 * Judges that a build does not invite a cache to store it (§4.2 rule 7). No cache stores a POST response without the header, so
 * only a header that allows storing fails.
 */
export function judgeBuildCacheControl(answer: ObservedAnswer): Verdict {
  const directives = directivesOf(answer)
  const forbids = directives.includes('no-store') || directives.includes('no-cache')
  const allows = directives.some((directive) =>
    /^(public|immutable|(s-maxage|max-age)=0*[1-9]\d*)$/.test(directive),
  )
  return judge('build.never-cached', forbids || !allows, {
    expected: 'no-store, or no header',
    actual: answer.headers['cache-control'],
  })
}

export interface MemoFacts {
  readonly first: ObservedAnswer
  readonly second: ObservedAnswer
  readonly sameParameters: boolean
  /** Time from the first response until the second request. */
  readonly elapsedMs: number
  /** True if the pools moved between the two, so that live numbers must differ. */
  readonly poolMoved: boolean
}

/** The kinds of memo hit, by whether the id and the expiry are those of the first response. */
const IDENTITIES = {
  'true true': 'same-quote',
  'false true': 'new-id',
  'true false': 'new-expiry',
  'false false': 'new-id-and-expiry',
} as const

/**
 * Judges two consecutive quotes by the rules for memos (§4.1 rule 3, §8): a memo may repeat the numbers of the same parameters
 * for about 1.5 s, not much longer, and never for other parameters.
 *
 * Not judged: that a memo exists at all.
 */
export function judgeMemo(facts: MemoFacts): readonly Verdict[] {
  const [first, second] = [bodyOf(facts.first), bodyOf(facts.second)]
  const [firstRoute, secondRoute] = [routeOf(first), routeOf(second)]
  if (firstRoute === null || secondRoute === null) return []
  const sameQuote = firstRoute.quoteId === secondRoute.quoteId
  const sameNumbers = show(numbersOf(firstRoute)) === show(numbersOf(secondRoute))
  if (!facts.sameParameters) {
    // A memo does not return other numbers under the same id: `route.quote-id.distinct` judges the id.
    const isOther = sameQuote && sameNumbers
    return [
      judge('quote.memo.only-identical', !isOther, {
        expected: 'a quote of its own',
        actual: isOther ? 'the quote of the other' : 'a quote of its own',
      }),
    ]
  }
  const actual = { sameNumbers, sameQuote }
  if (facts.elapsedMs <= LIMITS.memoMs * MEMO_SLACK) {
    const verdicts = [
      facts.poolMoved
        ? observeChoice('quote.memo.previous-numbers', sameNumbers ? 'previous' : 'fresh', actual)
        : observe('quote.memo.previous-numbers', actual),
    ]
    if (sameNumbers && facts.poolMoved) {
      const sameExpiry = firstRoute.expiresAt === secondRoute.expiresAt
      const identity = { quoteId: sameQuote, expiresAt: sameExpiry }
      const answer = IDENTITIES[`${sameQuote} ${sameExpiry}`]
      verdicts.push(observeChoice('quote.memo.identity', answer, identity, 'what a memo hit repeats'))
    }
    return verdicts
  }
  if (!facts.poolMoved) return []
  const details = {
    expected: 'the numbers of the pool as it is',
    actual: sameNumbers
      ? `those of ${sameQuote ? 'the quote' : 'a quote'} before the pool moved, after more than ${LIMITS.memoMs * MEMO_SLACK} ms`
      : 'other numbers than before the pool moved',
    boundaryClasses: ['after-memo'],
  }
  return [judge('quote.memo.ends', !sameNumbers, details)]
}

/** The id of a quote, and the request that got it. */
export interface ObservedQuoteId {
  /** Place of the quote, for the note of the verdict. */
  readonly place: string
  /** Key and parameters as one text, the same for equal requests. */
  readonly request: string
  readonly quoteId: string
}

/** Judges that no quote made for other parameters is repeated (§4.1 rule 3): a repeated id must be for the same request. */
export function judgeRepeatedQuotes(quotes: readonly ObservedQuoteId[]): readonly Verdict[] {
  const madeFor = new Map<string, string>()
  return quotes.map(({ place, request, quoteId }) => {
    const first = madeFor.get(quoteId) ?? request
    madeFor.set(quoteId, first)
    const details = { expected: `a response to ${request}`, actual: `that to ${first}`, note: place }
    return judge('quote.memo.only-identical', first === request, details)
  })
}

function directivesOf(answer: ObservedAnswer): readonly string[] {
  const header = answer.headers['cache-control'] ?? ''
  return header.split(',').map((directive) => directive.trim().toLowerCase())
}

function routeOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  return typeof body.route === 'object' && body.route !== null
    ? (body.route as Record<string, unknown>)
    : null
}

/** Returns the numbers that show the state of the pools: winner, output, minimum and alternatives. */
function numbersOf(route: Readonly<Record<string, unknown>>): unknown {
  return [route.engine, route.amountOut, route.minimumReceived, route.alternatives]
}
