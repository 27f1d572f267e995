import fc from 'fast-check'
import { z } from 'zod'
import { family } from '../../src/runner/families/family.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { generatedSwapSchema, labelOfRoute, labelsOfSwap } from '../generatedSwap.ts'
import { asks } from '../generators/asks.ts'
import { poolSetups } from '../generators/pools.ts'
import { labelsOfPools, poolSetupSchema, setUpPools } from '../pools.ts'
import { type ObservedQuote, quoteAndObserve } from './observed.ts'
import { QUOTE_PROPERTIES } from './properties.ts'

const caseSchema = z.strictObject({
  market: poolSetupSchema,
  asks: z.array(generatedSwapSchema).min(1).max(16),
})
type QuoteCase = z.output<typeof caseSchema>

interface Observed {
  readonly market: QuoteCase['market']
  readonly quotes: readonly ObservedQuote[]
}

/** Quotes on pools in any state, each judged by itself. */
export const quotes = family({
  id: 'quote',
  cases: fc.record({
    market: poolSetups.map((steps) => [...steps]),
    asks: fc.array(asks(), { minLength: 8, maxLength: 12 }),
  }),
  schema: caseSchema,
  runs: { quick: 36, full: 1_100 },
  shrinkTries: 250,
  properties: QUOTE_PROPERTIES,
  observe: async (
    start: With<'control' | 'fresh'>,
    { market, asks: questions }: QuoteCase,
  ): Promise<Observed> => {
    const environment = await start.fresh()
    const states = await setUpPools(environment, market)
    const seen: ObservedQuote[] = []
    for (const ask of questions) {
      seen.push(await quoteAndObserve(environment, market, states, ask))
      environment.outlastMemo()
    }
    return { market, quotes: seen }
  },
  labels: function* ({ market, quotes: seen }: Observed) {
    yield* labelsOfPools(market)
    for (const quote of seen) {
      yield* labelsOfSwap(quote)
      yield labelOfRoute(quote.route)
      if (quote.route !== null) yield `venues answering: ${quote.route.alternatives.length}`
      if (quote.route?.alternatives.some(({ netAmountOut }) => netAmountOut < 0)) yield 'gas above output'
      if (quote.facts.amountInRaw > 0n && quote.models.size === 0 && quote.venuesKnown)
        yield 'more than any pool takes, or less than it pays for'
    }
  },
})
