import fc from 'fast-check'
import { z } from 'zod'
import { family } from '../../src/runner/families/family.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { generatedSwapSchema, labelOfRoute, labelsOfSwap } from '../generatedSwap.ts'
import { asks } from '../generators/asks.ts'
import { poolSetups } from '../generators/pools.ts'
import { labelsOfPools, poolSetupSchema, setUpPools } from '../pools.ts'
import {
  doublingNeverMoreThanDoubles,
  feeNeverRaisesOutput,
  slippageMovesTheMinimumAlone,
} from './amounts.ts'
import { decimalsAreScale, marksOfTheCallerMoveNoAmount, namesAreLabels } from './names.ts'
import { type ObservedRelation, seeRelation } from './observed.ts'
import { moreVenuesNeverHurt, orderChangesNothing, wrappingCostsGasAlone } from './venues.ts'

const caseSchema = z.strictObject({
  market: poolSetupSchema,
  ask: generatedSwapSchema,
  twist: z.strictObject({
    arrival: z
      .array(z.int().min(0).max(5))
      .length(VENUE_IDS.length)
      .refine((order) => new Set(order).size === order.length, 'each venue once'),
    decimals: z.int().min(0).max(36),
  }),
})
type RelationCase = z.output<typeof caseSchema>

/** Quotes compared with other quotes: two responses can contradict each other without a model of the right one. */
export const relations = family({
  id: 'relation',
  cases: fc.record({
    market: poolSetups.map((steps) => [...steps]),
    ask: asks({ forced: 12 }),
    twist: fc.record({
      arrival: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
      decimals: fc.oneof(fc.constantFrom(0, 36), fc.integer({ min: 0, max: 36 })),
    }),
  }),
  schema: caseSchema,
  runs: { quick: 30, full: 300 },
  shrinkTries: 120,
  properties: [
    feeNeverRaisesOutput,
    doublingNeverMoreThanDoubles,
    slippageMovesTheMinimumAlone,
    moreVenuesNeverHurt,
    orderChangesNothing,
    wrappingCostsGasAlone,
    namesAreLabels,
    decimalsAreScale,
    marksOfTheCallerMoveNoAmount,
  ],
  observe: async (
    start: With<'control' | 'fresh'>,
    { market, ask, twist }: RelationCase,
  ): Promise<ObservedRelation> => {
    const environment = await start.fresh()
    return seeRelation(environment, market, await setUpPools(environment, market), ask, twist)
  },
  labels: function* ({ market, base }) {
    yield* labelsOfPools(market)
    yield* labelsOfSwap(base)
    yield labelOfRoute(base.route)
  },
})
