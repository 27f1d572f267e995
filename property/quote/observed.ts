import { FEED_DECIMALS, FEEDS, REGISTRY } from '../../src/fixtures/tokens.ts'
import { judgeQuote, type ModelAnswer, type Verdict } from '../../src/oracles/index.ts'
import { type JudgingContext, observeQuote } from '../../src/runner/observe.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import { type Route, routeSchema } from '../../src/spec/wire.ts'
import type { Answer, SwapClient } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { isModelled } from '../../src/venues-mock/models/outputs.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { askable, hasSoundMarks, isLeftOpen, judgesChoices } from '../fair.ts'
import { type GeneratedSwap, type Worked, workOut } from '../generatedSwap.ts'
import type { PoolSetup } from '../pools.ts'

/** One quote with the facts known without the service. */
export interface ObservedQuote extends Worked {
  readonly answer: Answer
  /** Null: there is no route, or it is incomplete. */
  readonly route: Route | null
  /** By venue, the output by the exact models; empty for tokens that no model knows. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer>
  /** True if `models` has exactly the venues that must be listed. */
  readonly venuesKnown: boolean
  /** True if the specification leaves the response to the request open: nothing is judged then. */
  readonly open: boolean
  readonly verdicts: readonly Verdict[]
}

/** Sends a quote and judges it by the pools in their current state, or by itself where they cannot be read. */
export async function quoteAndObserve(
  environment: Environment,
  market: PoolSetup,
  states: VenueStates | null,
  given: GeneratedSwap,
  client: SwapClient = environment.client(),
): Promise<ObservedQuote> {
  const worked = workOut(environment.manifest, askable(environment, given))
  const { sender } = worked.swap
  const query = { ...worked.parameters, ...(sender === undefined ? {} : { sender }) }
  const context = judgingContextIn(environment, worked, market, states)
  const { observation, answer } = await observeQuote(context, client, query, { mustBe: 'served' })
  const { models, modelsAreComplete } = observation.pools
  const known = { ...worked, answer, models: models ?? new Map(), venuesKnown: modelsAreComplete }
  if (isLeftOpen(environment, worked)) return { ...known, route: null, open: true, verdicts: [] }
  return { ...known, ...judgeQuote(observation), open: false }
}

/** Returns a quote with another response, to a request that was sent in a different way; it is not judged again. */
export function seeAnswer(quote: ObservedQuote, answer: Answer): ObservedQuote {
  const body = answer.json as { readonly route?: unknown } | null | undefined
  const route = routeSchema.safeParse(body?.route)
  return { ...quote, answer, route: route.success ? route.data : null, verdicts: [] }
}

/** Returns the facts for judging a request sent on these pools. */
export function judgingContextIn(
  environment: Environment,
  worked: Worked,
  market: PoolSetup,
  states: VenueStates | null,
): JudgingContext {
  const { clock, control } = environment
  const sound = hasSoundMarks(market)
  return {
    manifest: worked.manifest,
    clock,
    states,
    feeds:
      states === null
        ? null
        : { from: feedOf(worked.ask.from, market), to: feedOf(worked.ask.to, market), sound },
    gasHasPrice: isModelled(worked.facts) && isGasPriced(environment, worked, market),
    gasHasCost: null,
    isReference: judgesChoices(environment),
    hasCode:
      control &&
      (async (address) =>
        (await control.sandbox.rpc.request<string>('eth_getCode', [address, 'latest'])).length > 2),
  }
}

/** Returns true if gas surely has a price in the output; without one a venue cannot be ranked. */
function isGasPriced(environment: Environment, { ask, facts }: Worked, market: PoolSetup): boolean {
  const coin = (symbol: string) => symbol === 'ETH' || symbol === 'WETH'
  if (!judgesChoices(environment)) {
    // The specification does not say through which pools another service prices gas.
    return coin(ask.to) || (hasSoundMarks(market) && facts.tokenOut.feed !== null)
  }
  if (coin(ask.from) || coin(ask.to)) return true
  const disturbed = market.some((step) => step.do === 'mark')
  return !disturbed && (facts.tokenIn.feed !== null || facts.tokenOut.feed !== null)
}

/** Returns the USD mark of a token's price feed in this market; null: none that can be used. */
function feedOf(symbol: string, market: PoolSetup): number | null {
  const feedNamed = (name: string) => Object.values(REGISTRY).find((token) => token.symbol === name)?.feed
  const feed = feedNamed(symbol) ?? null
  if (feed === null) return null
  const answers = market.flatMap((step) =>
    step.do === 'mark' && feedNamed(step.token) === feed ? [step.answer] : [],
  )
  const answer = answers.at(-1) ?? Number(FEEDS[feed].answer)
  // A feed that lost its sources stays without an answer, even if one is set afterwards.
  if (answers.includes('none') || answer === 'none' || answer <= 0) return null
  return answer / 10 ** FEED_DECIMALS
}
