import fc from 'fast-check'
import { z } from 'zod'
import { family } from '../../src/runner/families/family.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { keyOrFirst } from '../fair.ts'
import { type GeneratedSwap, generatedSwapSchema, labelOfRoute, labelsOfSwap } from '../generatedSwap.ts'
import { asks } from '../generators/asks.ts'
import { poolSetups } from '../generators/pools.ts'
import { labelsOfPools, type PoolSetup, poolSetupSchema, setUpPools } from '../pools.ts'
import { quoteAndObserve } from '../quote/observed.ts'
import {
  memoCrossesNothing,
  type ObservedMemo,
  type ObservedMemos,
  sameQuestionSameAnswer,
} from './properties.ts'

const VARIED = ['amount', 'slippage', 'fee', 'recipient', 'venue', 'marks', 'sender'] as const
type Varied = (typeof VARIED)[number]

const caseSchema = z.strictObject({
  market: poolSetupSchema,
  questions: z
    .array(z.strictObject({ ask: generatedSwapSchema, vary: z.enum(VARIED) }))
    .min(1)
    .max(8),
})
type MemoCase = z.output<typeof caseSchema>

interface Observed extends ObservedMemos {
  readonly market: PoolSetup
}

/** Requests repeated before and after a memo may have expired. A case has several, which in real time wait together. */
export const memos = family({
  id: 'memo',
  cases: fc.record({
    market: poolSetups.map((steps) => [...steps]),
    questions: fc.array(fc.record({ ask: asks({ forced: 12 }), vary: fc.constantFrom(...VARIED) }), {
      minLength: 4,
      maxLength: 6,
    }),
  }),
  schema: caseSchema,
  runs: { quick: 6, full: 60 },
  shrinkTries: 60,
  properties: [sameQuestionSameAnswer, memoCrossesNothing],
  observe: async (start: With<'control' | 'fresh'>, { market, questions }: MemoCase): Promise<Observed> => {
    const environment = await start.fresh()
    const states = await setUpPools(environment, market)
    const see = (ask: GeneratedSwap, client = environment.client()) =>
      quoteAndObserve(environment, market, states, ask, client)
    const before: Pick<ObservedMemo, 'vary' | 'other' | 'first' | 'remembered'>[] = []
    for (const { ask, vary } of questions) {
      environment.outlastMemo()
      before.push({
        vary,
        other: await see(varied(ask, vary)),
        first: await see(ask),
        remembered: await see(ask),
      })
    }
    await environment.endMemo()
    const seen: ObservedMemo[] = []
    for (const [index, { ask, vary }] of questions.entries()) {
      const early = before[index] as (typeof before)[number]
      seen.push({
        ...early,
        afresh: await see(ask),
        second: await see(varied(ask, vary)),
        ofAnotherKey: await see(ask, environment.client(keyOrFirst(environment, 'two'))),
      })
      environment.outlastMemo()
    }
    return { environment, market, questions: seen }
  },
  labels: function* ({ market, questions }: Observed) {
    yield* labelsOfPools(market)
    for (const { first, vary } of questions) {
      yield* labelsOfSwap(first)
      yield `varied: ${vary}`
      yield labelOfRoute(first.route)
    }
  },
})

/** Returns the request with one parameter changed. */
function varied(ask: GeneratedSwap, vary: Varied): GeneratedSwap {
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
