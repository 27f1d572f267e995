import type { Hex } from 'viem'
import type { Manifest } from '../spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../spec/venues.ts'
import { quoteCall } from '../venues-mock/calls.ts'
import type { ModelQuote } from '../venues-mock/models/result.ts'
import { isQuoteFault, modelRoutes } from '../venues-mock/models/venue.ts'
import { type VenueStates, venueOf } from '../venues-mock/state/venues.ts'
import { type Trial, wordOf } from './trial.ts'

/** More than any quote needs, and little enough that a venue that burns gas does not delay the others. */
const QUOTE_GAS = 5_000_000

/** The output of one route of a venue for an input, in base units. */
export interface RouteQuote {
  readonly venue: VenueId
  /** The `route` argument of the venue's router. */
  readonly route: Hex
  readonly amountIn: bigint
  /** Null: the venue reverts, or returns no number. */
  readonly executedRaw: bigint | null
  /** By the exact model of the pool; null: the venue has a fault that changes its quotes. */
  readonly model: ModelQuote | null
}

/**
 * Returns the output of every route of every venue for these inputs, by calls of the venues and by the exact models.
 *
 * @param states the pools at the block of the trial.
 */
export async function quotesOfRoutes(
  trial: Trial,
  manifest: Manifest,
  states: VenueStates,
  tokenIn: Hex,
  tokenOut: Hex,
  amountsIn: readonly bigint[],
): Promise<readonly RouteQuote[]> {
  const quotes: RouteQuote[] = []
  for (const venue of VENUE_IDS) {
    const isFaulty = isQuoteFault(states.faults[venue])
    for (const { data: route, quoteExactIn } of modelRoutes(manifest, states, venue, tokenIn, tokenOut)) {
      for (const amountIn of amountsIn) {
        const call = quoteCall(manifest, venueOf(manifest, venue), { tokenIn, tokenOut, amountIn, route })
        const executedRaw = wordOf(await trial.read({ ...call, gas: QUOTE_GAS }))
        quotes.push({ venue, route, amountIn, executedRaw, model: isFaulty ? null : quoteExactIn(amountIn) })
      }
    }
  }
  return quotes
}

/** Returns whether the venue quotes the output of the exact model of its pool. */
export function agrees({ model, executedRaw }: RouteQuote): boolean {
  return model === null || ('amountOut' in model ? model.amountOut : null) === executedRaw
}
