import type { Property } from '../../src/harness/propertyFamily.ts'
import type { Ask } from '../ask.ts'
import { demandEqual, insist, type SeenRelation, stripped, type Twist } from './seen.ts'

/** Nothing but the question and the block decides an answer. */
export const sameQuestionSameAnswer: Property<SeenRelation> = {
  id: 'relation.same-question-same-answer',
  title: 'the same question in the same block has the same answer, asked again, afresh or of the memo',
  requirements: ['quote.memo.previous-numbers', 'quote.memo.ends', 'route.amount-out'],
  holds: async ({ lab, ask, putNow }) => {
    lab.outlastMemo()
    const first = await putNow(ask)
    const remembered = await putNow(ask)
    lab.outlastMemo()
    const afresh = await putNow(ask)
    demandEqual('route.amount-out', 'the same answer', stripped(first), stripped(remembered))
    demandEqual('route.amount-out', 'the same answer', stripped(first), stripped(afresh))
    const ids = [first, afresh].map(({ route }) => route?.quoteId)
    insist(
      'quote.memo.ends',
      ids[0] === undefined || ids[0] !== ids[1],
      'another quoteId after the memo has ended',
      `${ids[1]}`,
    )
    return 1
  },
}

/** What is remembered for one question or one key is told to no other. */
export const memoCrossesNothing: Property<SeenRelation> = {
  id: 'relation.memo-crosses-nothing',
  title: 'within the memo, another parameter or another key is answered for itself',
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  holds: async ({ lab, ask, twist, put, putNow }) => {
    const other = varied(ask, twist)
    const expected = stripped(await put(other))
    lab.outlastMemo()
    const first = await putNow(ask)
    const second = await putNow(other)
    const ofAnotherKey = await putNow(ask, lab.client('two'))
    demandEqual(
      'quote.memo.only-identical',
      `another ${twist.vary}: its own answer`,
      expected,
      stripped(second),
    )
    const [one, two, three] = [first, second, ofAnotherKey].map(({ route }) => route?.quoteId)
    if (one === undefined) return 1
    insist('quote.memo.only-identical', one !== two, `another quoteId for another ${twist.vary}`, one)
    insist('route.quote-id.distinct', one !== three, 'another quoteId for another key', one)
    return 1
  },
}

/** The question with one thing changed. */
function varied(ask: Ask, { vary }: Twist): Ask {
  switch (vary) {
    case 'amount':
      return { ...ask, amount: ask.amount * 1.5 }
    case 'slippage':
      return { ...ask, slippageBps: ask.slippageBps === 17 ? 18 : 17 }
    case 'fee':
      return { ...ask, fee: { bps: ask.fee?.bps === 13 ? 14 : 13, to: ask.fee?.to ?? 'partnerOne' } }
    case 'recipient':
      return {
        ...ask,
        fee: { bps: ask.fee?.bps || 9, to: ask.fee?.to === 'partnerTwo' ? 'partnerOne' : 'partnerTwo' },
      }
    case 'venue':
      return { ...ask, preferEngine: ask.preferEngine === 'venue_a' ? 'venue_c' : 'venue_a' }
    case 'marks':
      return { ...ask, fromPriceUsd: ask.fromPriceUsd === 3 ? 4 : 3 }
    case 'sender':
      return { ...ask, sender: ask.sender === 'bob' ? 'carol' : 'bob' }
  }
}
