import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { ModelQuote } from '../models/result.ts'
import type { Request } from '../state/reader.ts'
import type { VenueStates } from '../state/venues.ts'
import { chainQuotes } from './chainQuotes.ts'
import { type VenueRoute, venueRoutes } from './routes.ts'

export interface Comparison {
  readonly routes: number
  /** Number of compared quotes, and of those that the venue priced above zero or refused. */
  readonly compared: number
  readonly priced: number
  readonly refused: number
  /** The differences between model and venue; `chain` is null where the venue refuses. */
  readonly differences: readonly {
    readonly route: string
    readonly amountIn: bigint
    readonly model: ModelQuote
    readonly chain: bigint | null
  }[]
}

/** Compares the model of a venue with the venue's own quotes, on all its routes, for the inputs chosen for each. */
export async function compareQuotes(
  request: Request,
  manifest: Manifest,
  states: VenueStates,
  venueId: VenueId,
  amountsOf: (route: VenueRoute, routes: number) => readonly bigint[],
): Promise<Comparison> {
  const routes = venueRoutes(manifest, states, venueId)
  const asked = routes.flatMap((route) =>
    amountsOf(route, routes.length).map((amountIn) => ({ route, amountIn })),
  )
  const questions = asked.map(({ route, amountIn }) => route.ask(amountIn))
  const { multicall3 } = manifest
  const answers = await chainQuotes({ request, multicall3, blockNumber: states.blockNumber }, questions)
  const differences = asked.flatMap(({ route, amountIn }, index) => {
    const model = route.model.quoteExactIn(amountIn)
    const chain = answers[index] ?? null
    const agrees = ('amountOut' in model ? model.amountOut : null) === chain
    return agrees ? [] : [{ route: route.name, amountIn, model, chain }]
  })
  return {
    routes: routes.length,
    compared: asked.length,
    priced: answers.filter((answer) => answer !== null && answer > 0n).length,
    refused: answers.filter((answer) => answer === null).length,
    differences,
  }
}
