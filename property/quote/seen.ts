import { FEED_DECIMALS, FEEDS, type FeedName, OTHER_TOKENS, REGISTRY } from '../../src/fixtures/tokens.ts'
import { judgeFeeEnvelope } from '../../src/oracles/envelope.ts'
import { judgeHops } from '../../src/oracles/hops.ts'
import { judgeImpact } from '../../src/oracles/impact.ts'
import { judgeQuoteVsModel, type ModelAnswer } from '../../src/oracles/quoteVsModel.ts'
import { judgeAnsweringVenues, judgeRanking } from '../../src/oracles/ranking.ts'
import { judgeRoute } from '../../src/oracles/route.ts'
import { judgeRouteShape } from '../../src/oracles/routeShape.ts'
import { judge, type Verdict } from '../../src/oracles/verdict.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { MARKET, VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { type Route, routeSchema } from '../../src/spec/wire.ts'
import type { Answer, SwapClient } from '../../src/targets/client.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { modelQuote } from '../../src/venues-mock/models/venue.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { type Ask, type Worked, workOut } from '../ask.ts'
import { askable, hasSoundMarks, isLeftOpen } from '../fair.ts'
import type { PoolSetup } from '../pools.ts'

/** One quote with everything that is known about it without the service. */
export interface SeenQuote extends Worked {
  readonly answer: Answer
  /** Null: none, or none that is complete. */
  readonly route: Route | null
  /** What each venue would pay by the exact models; empty for tokens that no model knows. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer>
  /** Whether `models` tells exactly which venues must answer. */
  readonly venuesKnown: boolean
  /** Whether the specification does not say what is to become of the question: nothing is judged then. */
  readonly open: boolean
  readonly verdicts: readonly Verdict[]
}

/** What a transfer of these delivers no model of a pool knows. */
const UNMODELLED: ReadonlySet<string> = new Set(
  Object.values({ ...REGISTRY, ...OTHER_TOKENS })
    .filter(({ contract }) => contract === 'TaxedToken' || contract === 'FalsyToken')
    .map(({ symbol }) => symbol),
)

/** Puts one quote and judges it against the pools as they stand; by itself, where nobody can read them. */
export async function seeQuote(
  environment: Environment,
  market: PoolSetup,
  states: VenueStates | null,
  given: Ask,
  client: SwapClient = environment.client(),
): Promise<SeenQuote> {
  const worked = workOut(environment.manifest, askable(environment, given))
  const answeredAtMs = environment.clock.nowMs()
  const answer = await client.quote({
    ...worked.parameters,
    ...(worked.swap.sender === undefined ? {} : { sender: worked.swap.sender }),
  })
  const models = states === null ? new Map<VenueId, ModelAnswer>() : modelAnswers(environment, worked, states)
  const venuesKnown = states !== null && isGasPriced(environment, worked, market) && !isUnmodelled(worked.ask)
  const open = isLeftOpen(environment, worked)
  if (open) return { ...worked, answer, route: null, models, venuesKnown, open, verdicts: [] }
  const known = { market, states, models, venuesKnown, answeredAtMs }
  return { ...worked, ...judgeQuote(environment, worked, answer, known), answer, models, venuesKnown, open }
}

/** Another answer to a question that was put otherwise; its own promises are not judged again. */
export function seeAnswer(quote: SeenQuote, answer: Answer): SeenQuote {
  const body = answer.json as { readonly route?: unknown } | null | undefined
  const route = routeSchema.safeParse(body?.route)
  return { ...quote, answer, route: route.success ? route.data : null, verdicts: [] }
}

export const isUnmodelled = ({ from, to }: Ask): boolean => UNMODELLED.has(from) || UNMODELLED.has(to)

/** What each venue that can price the swap would pay. */
export function modelAnswers(
  { inside }: Environment,
  { ask, manifest, facts }: Worked,
  states: VenueStates,
): ReadonlyMap<VenueId, ModelAnswer> {
  const answers = new Map<VenueId, ModelAnswer>()
  if (isUnmodelled(ask) || facts.amountInRaw === 0n) return answers
  for (const venue of VENUE_IDS) {
    if (ask.preferEngine !== undefined && venue !== ask.preferEngine) continue
    const pay = (raw: bigint) =>
      modelQuote(manifest, states, venue, facts.tokenIn.address, facts.tokenOut.address, raw)
    const net = pay(facts.swappedRaw)
    if (!('amountOut' in net) || net.amountOut === 0n) continue
    const whole = pay(facts.amountInRaw)
    // Which way a fee is rounded is not shown.
    const roundedUp = inside !== null || isWholeFee(facts) ? net : pay(facts.swappedRaw - 1n)
    answers.set(venue, {
      netOfFeeRaw: net.amountOut,
      ...('amountOut' in roundedUp && roundedUp !== net ? { feeRoundedUpRaw: roundedUp.amountOut } : {}),
      wholeInputRaw: 'amountOut' in whole ? whole.amountOut : net.amountOut,
    })
  }
  return answers
}

function isWholeFee({ amountInRaw, feeBps }: Worked['facts']): boolean {
  return (amountInRaw * BigInt(feeBps)) % BigInt(LIMITS.bpsDenominator) === 0n
}

/** Whether gas surely has a price in the output, without which a venue cannot be ranked. */
function isGasPriced({ inside }: Environment, { ask, facts }: Worked, market: PoolSetup): boolean {
  const coin = (symbol: string) => symbol === 'ETH' || symbol === 'WETH'
  if (inside === null) {
    // Through which pools another service prices gas is its own matter.
    return coin(ask.to) || (hasSoundMarks(market) && facts.tokenOut.feed !== null)
  }
  if (coin(ask.from) || coin(ask.to)) return true
  const disturbed = market.some((step) => step.do === 'mark')
  return !disturbed && (facts.tokenIn.feed !== null || facts.tokenOut.feed !== null)
}

interface KnownOfQuote {
  readonly states: VenueStates | null
  readonly market: PoolSetup
  readonly models: ReadonlyMap<VenueId, ModelAnswer>
  readonly venuesKnown: boolean
  readonly answeredAtMs: number
}

function judgeQuote(
  environment: Environment,
  worked: Worked,
  answer: Answer,
  { market, states, models, venuesKnown, answeredAtMs }: KnownOfQuote,
): { readonly route: Route | null; readonly verdicts: readonly Verdict[] } {
  const { ask, swap, facts } = worked
  // Less than one base unit: whether that is refused or has no route is not shown.
  if (facts.amountInRaw === 0n && answer.status === 400) return { route: null, verdicts: [] }
  const ok = judge('quote.no-price.not-an-error', answer.status === 200, {
    expected: 'status 200',
    seen: `${answer.status} ${answer.exchange.response.body}`,
  })
  const body = answer.json
  if (answer.status !== 200 || typeof body !== 'object' || body === null)
    return { route: null, verdicts: [ok] }
  const fields = body as Readonly<Record<string, unknown>>
  const verdicts: Verdict[] = [
    ok,
    ...judgeFeeEnvelope({
      endpoint: 'quote',
      body: fields,
      asked: {
        ...(swap.partnerFeeBps === undefined ? {} : { partnerFeeBps: swap.partnerFeeBps }),
        ...(swap.partnerFeeRecipient === undefined ? {} : { partnerFeeRecipient: swap.partnerFeeRecipient }),
      },
    }),
  ]
  const able = [...models.keys()]
  const dropsAllowed = ask.sender !== undefined && facts.inputIsNative
  if (fields.route === null) {
    if (!dropsAllowed && venuesKnown)
      verdicts.push(
        judge('alternatives.complete', able.length === 0, {
          expected: able.length === 0 ? 'no route' : `a route, as ${able.join(', ')} can price it`,
          seen: 'route: null',
        }),
      )
    return { route: null, verdicts }
  }
  verdicts.push(...judgeRouteShape('quote', fields.route).verdicts)
  const parsed = routeSchema.safeParse(fields.route)
  if (!parsed.success) return { route: null, verdicts }
  const route = parsed.data
  const totalFeeBps = Number(fields.totalFeeBps)
  verdicts.push(
    ...judgeRoute({
      endpoint: 'quote',
      route,
      asked: {
        amount: ask.amount,
        ...(ask.slippageBps === undefined ? {} : { slippageBps: ask.slippageBps }),
      },
      fromDecimals: facts.tokenIn.decimals,
      toDecimals: facts.tokenOut.decimals,
      totalFeeBps,
      answeredAtMs,
    }),
    ...judgeHops({ route, from: ask.from, to: ask.to, twins: [['ETH', 'WETH']] }),
    ...judgeRanking({
      route,
      toDecimals: facts.tokenOut.decimals,
      winnerMayBeOverruled: dropsAllowed,
      outputIsEth: facts.outputIsEth,
    }),
    ...judgeMarks(environment, worked, route, totalFeeBps, states === null ? null : market),
  )
  if (route.engine === MARKET) {
    if (venuesKnown && !dropsAllowed)
      verdicts.push(judge('alternatives.complete', able.length === 0, { expected: able, seen: [] }))
    return { route, verdicts }
  }
  if (venuesKnown && !dropsAllowed)
    verdicts.push(...judgeAnsweringVenues(route, able, ask.preferEngine ?? null))
  if (states !== null && !isUnmodelled(ask))
    verdicts.push(...judgeQuoteVsModel({ route, toDecimals: facts.tokenOut.decimals, totalFeeBps, models }))
  return { route, verdicts }
}

/** The impact against the marks that hold: the caller's, or else those of the chain, where its market is known. */
function judgeMarks(
  { inside }: Environment,
  { ask }: Worked,
  route: Route,
  totalFeeBps: number,
  market: PoolSetup | null,
): readonly Verdict[] {
  const positive = judge('route.price-impact.magnitude', route.priceImpactBps >= 0, {
    expected: 'not negative',
    seen: route.priceImpactBps,
  })
  const from = ask.fromPriceUsd ?? (market === null ? null : feedOf(ask.from, market))
  const to = ask.toPriceUsd ?? (market === null ? null : feedOf(ask.to, market))
  if (from === null || to === null) return [positive]
  // One mark of the caller beside one of the chain, or marks that are absurd: what comes of them is a service's choice.
  const given = [ask.fromPriceUsd, ask.toPriceUsd].filter((mark) => mark !== undefined).length
  const spoiled = market === null || !hasSoundMarks(market)
  if (inside === null && (given === 1 || (given === 0 && spoiled))) return [positive]
  return [positive, judgeImpact({ route, totalFeeBps, fromPriceUsd: from, toPriceUsd: to })]
}

/** What the chain's feed of a token answers in this market, in USD; null: nothing of use. */
function feedOf(symbol: string, market: PoolSetup): number | null {
  const feed = Object.values(REGISTRY).find((token) => token.symbol === symbol)?.feed ?? null
  if (feed === null) return null
  const told = market.findLast(
    (step) =>
      step.do === 'mark' && Object.values(REGISTRY).find(({ symbol: s }) => s === step.token)?.feed === feed,
  )
  const answer = told?.do === 'mark' ? told.answer : Number(FEEDS[feed as FeedName].answer)
  // A feed that lost its sources stays lost, whatever it is told afterwards.
  const lost = market.some(
    (step) =>
      step.do === 'mark' &&
      step.answer === 'none' &&
      Object.values(REGISTRY).find(({ symbol: s }) => s === step.token)?.feed === feed,
  )
  if (lost || answer === 'none' || answer <= 0) return null
  return answer / 10 ** FEED_DECIMALS
}
