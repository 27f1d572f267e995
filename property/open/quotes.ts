import fc from 'fast-check'
import { z } from 'zod'
import { family } from '../../src/runner/families/family.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { type GeneratedSwap, generatedSwapSchema, labelOfRoute, labelsOfSwap } from '../generatedSwap.ts'
import { quoteAndObserve } from '../quote/observed.ts'
import { type ObservedQuotes, QUOTE_PROPERTIES } from '../quote/properties.ts'

/** Properties that need known pools. */
const OF_THE_POOLS: ReadonlySet<string> = new Set([
  'quote.every-venue-stands-in-the-list',
  'quote.equals-the-models',
])

const question = generatedSwapSchema
  .pick({ slippageBps: true, fee: true, preferEngine: true, fromPriceUsd: true, toPriceUsd: true })
  .extend({
    /** Multiple of the amount of the environment's sample swap. */ times: z.number().positive().max(4),
  })
const caseSchema = z.strictObject({ asks: z.array(question).min(1).max(8) })
type OpenCase = z.output<typeof caseSchema>

const marks = fc.option(
  fc.record({ fromPriceUsd: fc.constantFrom(1, 2_500), toPriceUsd: fc.constantFrom(1, 0.5) }),
  { nil: {}, freq: 2 },
)
const questions: fc.Arbitrary<OpenCase['asks'][number]> = fc
  .record({
    times: fc.constantFrom(1, 0.5, 0.25, 2, 1.5),
    slippageBps: fc.option(fc.constantFrom(0, 1, 50, 4_999, 5_000), { nil: undefined }),
    fee: fc.option(
      fc.record({
        bps: fc.constantFrom(0, 1, 25, 50),
        to: fc.constantFrom('partnerOne' as const, 'partnerTwo' as const),
      }),
      { nil: undefined },
    ),
    preferEngine: fc.option(fc.constantFrom(...VENUE_IDS), { nil: undefined, freq: 4 }),
    marks,
  })
  .map(({ marks: given, ...rest }) => JSON.parse(JSON.stringify({ ...rest, ...given })))

/** Quotes of a service whose pools cannot be read or moved: each is judged by itself and its request. */
export const openQuotes = family({
  id: 'quote',
  cases: fc.record({ asks: fc.array(questions, { minLength: 5, maxLength: 6 }) }),
  schema: caseSchema,
  runs: { quick: 6, full: 12 },
  shrinkTries: 12,
  properties: QUOTE_PROPERTIES.filter(({ id }) => !OF_THE_POOLS.has(id)),
  observe: async (start: With<'fresh'>, { asks }): Promise<ObservedQuotes> => {
    const environment = await start.fresh()
    const { from, to, amount } = environment.samples.swap
    const seen: ObservedQuotes['quotes'][number][] = []
    for (const { times, ...rest } of asks) {
      const ask: GeneratedSwap = { ...rest, from, to, amount: Number((amount * times).toPrecision(6)) }
      seen.push(await quoteAndObserve(environment, [], null, ask))
      environment.outlastMemo()
    }
    return { quotes: seen }
  },
  labels: function* ({ quotes }) {
    for (const quote of quotes) {
      yield* labelsOfSwap(quote)
      yield labelOfRoute(quote.route)
    }
  },
})
