import type { Property } from '../../src/runner/families/family.ts'
import { assert } from '../assert.ts'
import { judgesChoices } from '../fair.ts'
import { amountsOf, type ObservedRelation, shownBy, without } from './observed.ts'

/** Newton's method and the printing of doubles may each cost a base unit. */
const SLACK_RAW = 2n
/** Levels of a book and pools on a path each round separately. */
const ROUNDINGS = 12n

export const feeNeverRaisesOutput: Property<ObservedRelation> = {
  id: 'relation.fee-never-raises-output',
  title: 'no venue pays more when a partner fee is taken than without one',
  requirements: ['amounts.net-of-fee', 'fees.total.baked-in'],
  holds: async ({ ask, put }) => {
    const free = await put(without(ask, 'fee', 'sender'))
    const charged = await put({
      ...without(ask, 'sender'),
      fee: { bps: ask.fee?.bps || 50, to: 'partnerOne' },
    })
    const whole = shownBy(free)
    let questions = 0
    for (const [engine, { low }] of shownBy(charged)) {
      const most = whole.get(engine)
      if (most === undefined) continue
      assert(
        'amounts.net-of-fee',
        low <= most.high + SLACK_RAW,
        `${engine}: at most ${most.high} with a fee`,
        `${low}`,
      )
      questions += 1
    }
    return questions
  },
}

/** Selling twice as much buys at most twice as much, because every pool's price gets worse with size. */
export const doublingNeverMoreThanDoubles: Property<ObservedRelation> = {
  id: 'relation.doubling-never-more-than-doubles',
  title: 'out(2x) ≤ 2·out(x), up to rounding',
  requirements: ['alternatives.amount-out', 'route.amount-out'],
  holds: async ({ ask, put }) => {
    const plain = without(ask, 'sender', 'fee')
    const once = await put(plain)
    const twice = await put({ ...plain, amount: plain.amount * 2 })
    const xRaw = once.facts.amountInRaw
    if (xRaw === 0n || twice.facts.amountInRaw > 2n * xRaw) return 0
    const single = shownBy(once)
    let questions = 0
    for (const [engine, { low: double }] of shownBy(twice)) {
      const known = single.get(engine)
      if (known === undefined) continue
      // A pool rounds its own fee up to whole base units of the input: four of them, at the price of this swap.
      const rounding = (double * 4n) / xRaw + ROUNDINGS
      assert(
        'alternatives.amount-out',
        double <= 2n * known.high + rounding,
        `${engine}: at most twice ${known.high}`,
        `${double}`,
      )
      questions += 1
    }
    return questions
  },
}

export const slippageMovesTheMinimumAlone: Property<ObservedRelation> = {
  id: 'relation.slippage-moves-the-minimum-alone',
  title: 'another slippage changes minimumReceived and the echo, and nothing else',
  requirements: ['route.minimum-received.floor', 'route.amount-out', 'route.slippage-echo'],
  holds: async ({ environment, ask, put }) => {
    const plain = without(ask, 'sender')
    const one = (await put({ ...plain, slippageBps: 0 })).route
    const other = (await put({ ...plain, slippageBps: 5_000 })).route
    if (one === null || other === null) {
      assert('route.amount-out', one === other, 'a route for either slippage', 'a route for one of them')
      return 0
    }
    if (!judgesChoices(environment)) {
      assert('route.amount-out', amountsOf(one) === amountsOf(other), amountsOf(one), amountsOf(other))
      return 1
    }
    const rest = (route: typeof one) =>
      JSON.stringify({ ...route, slippageBps: 0, minimumReceived: 0, quoteId: '', expiresAt: 0 })
    assert('route.amount-out', rest(one) === rest(other), rest(one), rest(other))
    assert(
      'route.minimum-received.floor',
      one.minimumReceived === one.amountOut,
      `all of ${one.amountOut} at slippage 0`,
      String(one.minimumReceived),
    )
    return 1
  },
}
