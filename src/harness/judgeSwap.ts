import { judgeCalldata } from '../oracles/calldata.ts'
import { judgeFeeEnvelope } from '../oracles/envelope.ts'
import { judgeFeeTransfer } from '../oracles/feeTransfer.ts'
import { judgeHops } from '../oracles/hops.ts'
import { judgeQuoteVsModel, type ModelAnswer } from '../oracles/quoteVsModel.ts'
import { judgeAnsweringVenues, judgeRanking } from '../oracles/ranking.ts'
import { judgeRoute } from '../oracles/route.ts'
import { judgeRouteShape } from '../oracles/routeShape.ts'
import { judgeTx } from '../oracles/tx.ts'
import type { Verdict } from '../oracles/verdict.ts'
import type { Manifest } from '../spec/manifest.ts'
import { type EngineId, VENUE_IDS, type VenueId } from '../spec/venues.ts'
import { type BuildResponse, buildResponseSchema, type Route } from '../spec/wire.ts'
import { modelQuote } from '../venues-mock/models/venue.ts'
import type { VenueStates } from '../venues-mock/state/venues.ts'
import { recordVerdicts } from './evidence.ts'
import { PromiseBrokenError } from './suite.ts'
import { factsOf, type SwapAsk } from './swapFacts.ts'

/**
 * The state of the pools against which an answer is judged, and when it was given. `states` is null where nobody can
 * read them: then the answer is judged by itself and by the request alone.
 */
export interface JudgeContext {
  readonly manifest: Manifest
  readonly states: VenueStates | null
  readonly answeredAtMs: number
}

/**
 * Puts verdicts on record, and stops at the first promise that is broken.
 *
 * @throws {PromiseBrokenError}
 */
export function demand(verdicts: readonly Verdict[], venue?: EngineId): void {
  recordVerdicts(verdicts, venue)
  const failed = verdicts.find((verdict) => verdict.outcome === 'fail')
  if (failed === undefined) return
  const note = failed.note === undefined ? '' : ` (${failed.note})`
  throw new PromiseBrokenError(
    failed.requirement,
    failed.expected ?? 'the clause to hold',
    `${failed.seen}${note}`,
  )
}

/**
 * Everything that can be said of a quote's or a build's route: shape, values, hops, ranking, and every venue's output
 * against the exact models.
 *
 * @returns the route, or null when the answer has none.
 * @throws {PromiseBrokenError}
 */
export function demandRoute(
  endpoint: 'quote' | 'build',
  body: Readonly<Record<string, unknown>>,
  ask: SwapAsk & { readonly sender?: string },
  context: JudgeContext,
): Route | null {
  const facts = factsOf(context.manifest, ask)
  const asked = {
    ...(ask.partnerFeeBps === undefined ? {} : { partnerFeeBps: ask.partnerFeeBps }),
    ...(ask.partnerFeeRecipient === undefined ? {} : { partnerFeeRecipient: ask.partnerFeeRecipient }),
  }
  demand(judgeFeeEnvelope({ endpoint, body, asked }))
  const models = modelAnswers(ask, context)
  if (body.route === null) {
    const able = [...models.keys()]
    if (able.length > 0)
      throw new PromiseBrokenError(
        'alternatives.complete',
        `a route, as ${able.join(', ')} can price it`,
        'null',
      )
    return null
  }
  const shape = judgeRouteShape(endpoint, body.route)
  demand(shape.verdicts)
  const { route } = shape
  if (route === null)
    throw new PromiseBrokenError('quote.response.shape', 'a complete route', 'a malformed one')
  const { tokenIn, tokenOut } = facts
  const { engine } = route
  demand(
    judgeRoute({
      endpoint,
      route,
      asked: {
        amount: ask.amount,
        ...(ask.slippageBps === undefined ? {} : { slippageBps: ask.slippageBps }),
      },
      fromDecimals: tokenIn.decimals,
      toDecimals: tokenOut.decimals,
      totalFeeBps: Number(body.totalFeeBps),
      answeredAtMs: context.answeredAtMs,
    }),
    engine,
  )
  demand(judgeHops({ route, from: ask.from, to: ask.to, twins: [['ETH', 'WETH']] }), engine)
  const winnerMayBeOverruled = endpoint === 'build' || (ask.sender !== undefined && facts.inputIsNative)
  demand(
    judgeRanking({
      route,
      toDecimals: tokenOut.decimals,
      winnerMayBeOverruled,
      outputIsEth: facts.outputIsEth,
    }),
    engine,
  )
  if (route.executable && context.states !== null) {
    if (!winnerMayBeOverruled)
      demand(judgeAnsweringVenues(route, [...models.keys()], ask.preferEngine ?? null), engine)
    demand(
      judgeQuoteVsModel({
        route,
        toDecimals: tokenOut.decimals,
        totalFeeBps: Number(body.totalFeeBps),
        models,
      }),
      engine,
    )
  }
  return route
}

/**
 * Everything that can be said of a build before it is executed.
 *
 * @throws {PromiseBrokenError}
 */
export function demandBuild(
  body: unknown,
  ask: SwapAsk & { readonly sender: string },
  context: JudgeContext,
): BuildResponse {
  const parsed = buildResponseSchema.safeParse(body)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new PromiseBrokenError(
      'build.response.route',
      'a complete build',
      `${issue?.path.join('.')}: ${issue?.message}`,
    )
  }
  const build = parsed.data
  const facts = factsOf(context.manifest, ask)
  const route = demandRoute('build', build as never, ask, context)
  if (route === null) throw new PromiseBrokenError('build.response.route', 'a route', 'null')
  const { engine } = build
  const venue = context.manifest.venues.find((entry) => entry.id === engine)
  const feeTransferRaw = build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw)
  demand(
    judgeTx({
      tx: build.tx,
      inputIsNative: facts.inputIsNative,
      amountInRaw: facts.amountInRaw,
      feeTransferRaw: feeTransferRaw ?? 0n,
      approval: venue === undefined ? null : { ...venue.approval, permit2: context.manifest.permit2 },
    }).verdicts,
    engine,
  )
  // Fee wallet and calldata are those of the sandbox's contracts; those of a deployed service nobody here knows.
  if (context.states === null) return build
  demand(
    judgeFeeTransfer({
      feeTransfer: build.feeTransfer,
      engine: build.engine,
      feeBps: facts.feeBps,
      amountInRaw: facts.amountInRaw,
      inputIsNative: facts.inputIsNative,
      tokenIn: facts.tokenIn.address,
      feeWallet: context.manifest.feeWallet,
    }),
    engine,
  )
  demand(
    judgeCalldata({
      route,
      tx: build.tx,
      sender: ask.sender,
      tokenIn: facts.tokenIn.address,
      tokenOut: facts.tokenOut.address,
      toDecimals: facts.tokenOut.decimals,
      amountInRaw: facts.amountInRaw,
      feeBps: facts.feeBps,
      partnerFeeRecipient: ask.partnerFeeRecipient ?? null,
      feeTransferRaw,
    }),
    engine,
  )
  return build
}

/** What each venue that can price the swap would pay, by the exact models. */
function modelAnswers(ask: SwapAsk, { manifest, states }: JudgeContext): ReadonlyMap<VenueId, ModelAnswer> {
  const { tokenIn, tokenOut, amountInRaw, swappedRaw } = factsOf(manifest, ask)
  const answers = new Map<VenueId, ModelAnswer>()
  if (states === null) return answers
  for (const venue of VENUE_IDS) {
    if (ask.preferEngine !== undefined && venue !== ask.preferEngine) continue
    const pay = (raw: bigint) => modelQuote(manifest, states, venue, tokenIn.address, tokenOut.address, raw)
    const net = pay(swappedRaw)
    const whole = pay(amountInRaw)
    if (!('amountOut' in net) || net.amountOut === 0n) continue
    answers.set(venue, {
      netOfFeeRaw: net.amountOut,
      wholeInputRaw: 'amountOut' in whole ? whole.amountOut : net.amountOut,
    })
  }
  return answers
}
