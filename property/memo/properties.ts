import type { Property } from '../../src/runner/families/family.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert } from '../assert.ts'
import { judgesChoices } from '../fair.ts'
import type { ObservedQuote } from '../quote/observed.ts'
import { amountsOf, assertEqual, stripped } from '../relation/observed.ts'

/** The responses to one request and to another that differs in one parameter. */
export interface ObservedMemo {
  readonly vary: string
  /** Sent when only the other request, just before it, can be memoized. */
  readonly first: ObservedQuote
  /** Sent immediately afterwards. */
  readonly remembered: ObservedQuote
  /** Sent after every memo has expired. */
  readonly afresh: ObservedQuote
  /** The other request, sent before the first. */
  readonly other: ObservedQuote
  /** The other request, sent right after `afresh`. */
  readonly second: ObservedQuote
  /** The request under another key, sent right after those. */
  readonly ofAnotherKey: ObservedQuote
}

export interface ObservedMemos {
  readonly environment: Environment
  readonly questions: readonly ObservedMemo[]
}

/** Returns the whole response; for a service other than the reference, its amounts and echoes. */
function compared({ inside }: Environment, quote: ObservedQuote): string {
  if (inside !== null) return stripped(quote)
  const { route, answer } = quote
  const { partnerFeeBps, partnerFeeRecipient } = (answer.json ?? {}) as Readonly<Record<string, unknown>>
  const echoes = { slippageBps: route?.slippageBps, minimum: route?.minimumReceived, partnerFeeBps }
  const recipient = String(partnerFeeRecipient).toLowerCase()
  return `${answer.status} ${amountsOf(route)} ${JSON.stringify({ ...echoes, recipient })}`
}

export const sameQuestionSameAnswer: Property<ObservedMemos> = {
  id: 'relation.same-question-same-answer',
  title: 'equal requests in one block get equal responses, with and without the memo',
  requirements: ['quote.memo.previous-numbers', 'quote.memo.ends', 'route.amount-out'],
  holds: ({ environment, questions }) => {
    for (const { first, remembered, afresh } of questions) {
      assertEqual(
        'route.amount-out',
        'the same answer',
        compared(environment, first),
        compared(environment, remembered),
      )
      assertEqual(
        'route.amount-out',
        'the same answer',
        compared(environment, first),
        compared(environment, afresh),
      )
      // The specification does not require a recomputed quote to have another id.
      if (!judgesChoices(environment)) continue
      const ids = [first, afresh].map(({ route }) => route?.quoteId)
      assert(
        'quote.memo.ends',
        ids[0] === undefined || ids[0] !== ids[1],
        'another quoteId after the memo has ended',
        `${ids[1]}`,
      )
    }
    return questions.length
  },
}

export const memoCrossesNothing: Property<ObservedMemos> = {
  id: 'relation.memo-crosses-nothing',
  title: 'while the memo lasts, a request with another parameter or another key gets its own response',
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  holds: ({ environment, questions }) => {
    for (const { vary, afresh, other, second, ofAnotherKey } of questions) {
      assertEqual(
        'quote.memo.only-identical',
        `another ${vary}: its own answer`,
        compared(environment, other),
        compared(environment, second),
      )
      assertEqual(
        'quote.memo.only-identical',
        'the same answer under another key',
        compared(environment, afresh),
        compared(environment, ofAnotherKey),
      )
      const [one, two, three] = [afresh, second, ofAnotherKey].map(({ route }) => route?.quoteId)
      if (one === undefined) continue
      assert('route.quote-id.distinct', one !== two, `another quoteId for another ${vary}`, one)
      if (judgesChoices(environment))
        assert('route.quote-id.distinct', one !== three, 'another quoteId for another key', one)
    }
    return questions.length
  },
}
