import { judgeBuildEngine } from '../oracles/buildEngine.ts'
import { judgeCalldata } from '../oracles/calldata.ts'
import { judgeFeeEnvelope } from '../oracles/envelope.ts'
import { judgeFeeTransfer } from '../oracles/feeTransfer.ts'
import { judgeHops } from '../oracles/hops.ts'
import { judgeQuoteVsModel, type ModelAnswer } from '../oracles/quoteVsModel.ts'
import { judgeAnsweringVenues, judgeRanking } from '../oracles/ranking.ts'
import { judgeRoute } from '../oracles/route.ts'
import { judgeRouteShape } from '../oracles/routeShape.ts'
import { factsOf, type SwapAsk } from '../oracles/swapFacts.ts'
import { judgeTx } from '../oracles/tx.ts'
import { judge, type Verdict } from '../oracles/verdict.ts'
import { LIMITS } from '../spec/limits.ts'
import type { Manifest } from '../spec/manifest.ts'
import { type EngineId, VENUE_IDS, type VenueId } from '../spec/venues.ts'
import {
  attributionSchema,
  type BuildResponse,
  buildResponseSchema,
  feeTransferSchema,
  type Route,
} from '../spec/wire.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { recordVerdicts } from '../targets/evidence.ts'
import { modelQuote } from '../venues-mock/models/venue.ts'
import type { VenueStates } from '../venues-mock/state/venues.ts'

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
  const { verdicts, route } = judgeAnswer(endpoint, body, ask, context)
  demand(verdicts, route?.engine)
  if (route === null && body.route !== null)
    throw new PromiseBrokenError('quote.response.shape', 'a complete route', 'a malformed one')
  return route
}

/** All verdicts on the route of one answer and on its fee envelope, so that whatever is broken in it is named. */
function judgeAnswer(
  endpoint: 'quote' | 'build',
  body: Readonly<Record<string, unknown>>,
  ask: SwapAsk & { readonly sender?: string },
  context: JudgeContext,
): { readonly verdicts: readonly Verdict[]; readonly route: Route | null } {
  const facts = factsOf(context.manifest, ask)
  const asked = {
    ...(ask.partnerFeeBps === undefined ? {} : { partnerFeeBps: ask.partnerFeeBps }),
    ...(ask.partnerFeeRecipient === undefined ? {} : { partnerFeeRecipient: ask.partnerFeeRecipient }),
  }
  const envelope = judgeFeeEnvelope({ endpoint, body, asked })
  const models = modelAnswers(ask, context)
  if (endpoint === 'quote' && body.route === null) {
    const able = [...models.keys()]
    const priced = { expected: `a route, as ${able.join(', ')} can price it`, seen: null }
    const missed = able.length === 0 ? [] : [judge('alternatives.complete', false, priced)]
    return { verdicts: [...envelope, ...missed], route: null }
  }
  const shape = judgeRouteShape(endpoint, body.route)
  const { route } = shape
  if (route === null) return { verdicts: [...envelope, ...shape.verdicts], route: null }
  const { tokenIn, tokenOut } = facts
  const totalFeeBps = Number(body.totalFeeBps)
  const winnerMayBeOverruled = endpoint === 'build' || (ask.sender !== undefined && facts.inputIsNative)
  const verdicts = [
    ...envelope,
    ...shape.verdicts,
    ...judgeRoute({
      endpoint,
      route,
      asked: {
        amount: ask.amount,
        ...(ask.slippageBps === undefined ? {} : { slippageBps: ask.slippageBps }),
      },
      fromDecimals: tokenIn.decimals,
      toDecimals: tokenOut.decimals,
      totalFeeBps,
      answeredAtMs: context.answeredAtMs,
    }),
    ...judgeHops({ route, from: ask.from, to: ask.to, twins: [['ETH', 'WETH']] }),
    ...judgeRanking({
      route,
      toDecimals: tokenOut.decimals,
      winnerMayBeOverruled,
      outputIsEth: facts.outputIsEth,
    }),
  ]
  if (route.executable && context.states !== null) {
    if (!winnerMayBeOverruled)
      verdicts.push(...judgeAnsweringVenues(route, [...models.keys()], ask.preferEngine ?? null))
    verdicts.push(...judgeQuoteVsModel({ route, toDecimals: tokenOut.decimals, totalFeeBps, models }))
  }
  return { verdicts, route }
}

/**
 * Everything that can be said of a build before it is executed. All of it is judged before it stops, so that whatever is
 * broken in the answer is named.
 *
 * @throws {PromiseBrokenError}
 */
export function demandBuild(
  body: unknown,
  ask: SwapAsk & { readonly sender: string },
  context: JudgeContext,
): BuildResponse {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  const { verdicts, route } = judgeAnswer('build', fields, ask, context)
  demand([...verdicts, ...judgeBuildFields(fields, route, ask, context)], route?.engine)
  const parsed = buildResponseSchema.safeParse(body)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new PromiseBrokenError(
      'build.response.route',
      'a complete build',
      `${issue?.path.join('.')}: ${issue?.message}`,
    )
  }
  return parsed.data
}

/** What a build has beside its route: engine, transaction, fee transfer, attribution. */
function judgeBuildFields(
  fields: Readonly<Record<string, unknown>>,
  route: Route | null,
  ask: SwapAsk & { readonly sender: string },
  { manifest, states }: JudgeContext,
): readonly Verdict[] {
  const facts = factsOf(manifest, ask)
  const verdicts: Verdict[] = []
  const preferEngine = ask.preferEngine ?? null
  if (route !== null) verdicts.push(...judgeBuildEngine({ engine: fields.engine, route, preferEngine }))

  const transfer = feeTransferSchema.nullable().safeParse(fields.feeTransfer)
  const feeTransferRaw = transfer.data ? BigInt(transfer.data.amountRaw) : null
  const venue = manifest.venues.find((entry) => entry.id === fields.engine)
  // Fee wallet and calldata are those of the sandbox's contracts; those of a deployed service nobody here knows.
  const isKnown = states !== null && venue !== undefined
  verdicts.push(
    ...(isKnown
      ? judgeFeeTransfer({
          feeTransfer: fields.feeTransfer,
          engine: venue.id,
          feeBps: facts.feeBps,
          amountInRaw: facts.amountInRaw,
          inputIsNative: facts.inputIsNative,
          tokenIn: facts.tokenIn.address,
          feeWallet: manifest.feeWallet,
        })
      : [
          judge('build.response.fee-transfer', transfer.success, {
            expected: 'null, or token, to and amountRaw',
            seen: fields.feeTransfer,
          }),
        ]),
  )
  const made = judgeTx({
    tx: fields.tx,
    inputIsNative: facts.inputIsNative,
    amountInRaw: facts.amountInRaw,
    feeTransferRaw: feeTransferRaw ?? 0n,
    approval: venue === undefined ? null : { ...venue.approval, permit2: manifest.permit2 },
  })
  const attributed = attributionSchema.nullable().safeParse(fields.attribution).success
  verdicts.push(
    ...made.verdicts,
    judge('build.response.attribution', attributed, {
      expected: 'null, or buildId, validUntil and confirmations',
      seen: fields.attribution,
    }),
  )
  if (route === null || made.tx === null || !isKnown) return verdicts
  return [
    ...verdicts,
    ...judgeCalldata({
      route,
      tx: made.tx,
      sender: ask.sender,
      tokenIn: facts.tokenIn.address,
      tokenOut: facts.tokenOut.address,
      toDecimals: facts.tokenOut.decimals,
      amountInRaw: facts.amountInRaw,
      feeBps: facts.feeBps,
      partnerFeeRecipient: ask.partnerFeeRecipient ?? null,
      feeTransferRaw,
    }),
  ]
}

/** What each venue that can price the swap would pay, by the exact models. */
function modelAnswers(ask: SwapAsk, { manifest, states }: JudgeContext): ReadonlyMap<VenueId, ModelAnswer> {
  const { tokenIn, tokenOut, amountInRaw, swappedRaw, feeBps } = factsOf(manifest, ask)
  const isWhole = (amountInRaw * BigInt(feeBps)) % BigInt(LIMITS.bpsDenominator) === 0n
  const answers = new Map<VenueId, ModelAnswer>()
  if (states === null) return answers
  for (const venue of VENUE_IDS) {
    if (ask.preferEngine !== undefined && venue !== ask.preferEngine) continue
    const pay = (raw: bigint) => modelQuote(manifest, states, venue, tokenIn.address, tokenOut.address, raw)
    const net = pay(swappedRaw)
    const whole = pay(amountInRaw)
    if (!('amountOut' in net) || net.amountOut === 0n) continue
    const roundedUp = isWhole ? net : pay(swappedRaw - 1n)
    answers.set(venue, {
      netOfFeeRaw: net.amountOut,
      feeRoundedUpRaw: 'amountOut' in roundedUp ? roundedUp.amountOut : net.amountOut,
      wholeInputRaw: 'amountOut' in whole ? whole.amountOut : net.amountOut,
    })
  }
  return answers
}
