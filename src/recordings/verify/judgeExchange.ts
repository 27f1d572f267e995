import { zeroAddress } from 'viem'
import type { ObservedAnswer } from '../../oracles/answer.ts'
import { judgeAttribution } from '../../oracles/attribution.ts'
import { judgeBuildEngine } from '../../oracles/buildEngine.ts'
import { judgeBuildCacheControl, judgeQuoteCacheControl } from '../../oracles/cache.ts'
import { judgeCalldata } from '../../oracles/calldata.ts'
import { baseUnitsAskedBy } from '../../oracles/decimal.ts'
import { judgeFeeEnvelope } from '../../oracles/envelope.ts'
import { judgeBuildFailure, judgeNoExecutableRoute } from '../../oracles/errors.ts'
import { judgeFeeTransfer } from '../../oracles/feeTransfer.ts'
import { judgeHops } from '../../oracles/hops.ts'
import { judgeRanking } from '../../oracles/ranking.ts'
import { judgeRoute } from '../../oracles/route.ts'
import { judgeRouteShape } from '../../oracles/routeShape.ts'
import { judgeTx } from '../../oracles/tx.ts'
import type { Verdict } from '../../oracles/verdict.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import { type BuildResponse, buildResponseSchema, type Route } from '../../spec/wire.ts'
import { bodyJson, type DraftOf } from '../replay/drafts.ts'
import { BUILD_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>
type Answered = Http & { readonly answer: NonNullable<Http['answer']> }
type World = DraftOf<'genesis'>['world']
type Token = World['registry'][number]

const QUOTE_PATH = '/api/v1/quote'

/** A swap as a recorded request asks for it, with its two tokens. */
interface Asked {
  readonly from: Token
  readonly to: Token
  readonly amount: number
  readonly sender: string | null
  readonly slippageBps?: number
  readonly partnerFeeBps?: number
  readonly partnerFeeRecipient?: string
  readonly preferEngine: VenueId | null
}

/**
 * Judges one recorded quote or build by what the recording alone can tell: shapes, values against each other and against
 * the request, the fee, the calldata, the attribution, the bodies of errors.
 *
 * Not judged, for it would take the state of the pools: whether the amounts are what the venues pay, whether every venue
 * that can answer did, and whether the transaction goes through. Requests for tokens that the world does not name are
 * judged by their envelope and shape alone.
 */
export function judgeExchange(http: Http, world: World): readonly Verdict[] {
  const { answer } = http
  if (answer === null) return []
  const answered = { ...http, answer }
  if (http.path === BUILD_PATH) return judgeBuild(answered, world)
  return http.path.split('?', 1)[0] === QUOTE_PATH ? judgeQuote(answered, world) : []
}

function judgeQuote(http: Answered, world: World): readonly Verdict[] {
  const answer = observedOf(http)
  if (answer.status !== 200) return []
  const asked = askedBy(Object.fromEntries(new URLSearchParams(http.path.split('?')[1] ?? '')), world)
  return [judgeQuoteCacheControl(answer), ...judgeBody('quote', http, answer.json, asked, world)]
}

function judgeBuild(http: Answered, world: World): readonly Verdict[] {
  const answer = observedOf(http)
  if (answer.status === 422) return judgeNoExecutableRoute('build.no-executable-route.body', answer)
  if (answer.status === 502) return [judgeBuildFailure(answer)]
  if (answer.status !== 200) return []
  const asked = askedBy(recordOf(bodyJson(http.body)), world)
  const verdicts = [
    judgeBuildCacheControl(answer),
    ...judgeBody('build', http, answer.json, asked, world),
    ...judgeAttributionOf(http, answer.json),
  ]
  const parsed = buildResponseSchema.safeParse(answer.json)
  if (!parsed.success || asked === null) return verdicts
  return [...verdicts, ...judgeTransaction(parsed.data, asked, world)]
}

function judgeBody(
  endpoint: 'quote' | 'build',
  { answer }: Answered,
  json: unknown,
  asked: Asked | null,
  world: World,
): readonly Verdict[] {
  const body = recordOf(json)
  const verdicts = [...judgeFeeEnvelope({ endpoint, body, asked: asked ?? {} })]
  if (body.route === null && endpoint === 'quote') return verdicts
  const shape = judgeRouteShape(endpoint, body.route)
  verdicts.push(...shape.verdicts)
  if (shape.route === null || asked === null) return verdicts
  return [...verdicts, ...judgeValues(endpoint, shape.route, body, asked, answer.atMs, world)]
}

function judgeValues(
  endpoint: 'quote' | 'build',
  route: Route,
  body: Readonly<Record<string, unknown>>,
  asked: Asked,
  answeredAtMs: number,
  world: World,
): readonly Verdict[] {
  const { from, to } = asked
  return [
    ...judgeRoute({
      endpoint,
      route,
      asked,
      fromDecimals: from.decimals,
      toDecimals: to.decimals,
      totalFeeBps: Number(body.totalFeeBps),
      answeredAtMs,
    }),
    ...judgeHops({ route, from: from.symbol, to: to.symbol, twins: [['ETH', 'WETH']] }),
    ...judgeRanking({
      route,
      toDecimals: to.decimals,
      winnerMayBeOverruled: endpoint === 'build' || asked.sender !== null,
      outputIsEth: [zeroAddress, world.weth].includes(to.address),
    }),
  ]
}

function judgeTransaction(build: BuildResponse, asked: Asked, world: World): readonly Verdict[] {
  const inputIsNative = asked.from.address === zeroAddress
  const amountInRaw = baseUnitsAskedBy(asked.amount, asked.from.decimals).raw
  const feeBps = asked.partnerFeeBps ?? 0
  const feeTransferRaw = build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw)
  const venue = world.venues.find(({ id }) => id === build.engine)
  const { verdicts } = judgeTx({
    tx: build.tx,
    inputIsNative,
    amountInRaw,
    feeTransferRaw: feeTransferRaw ?? 0n,
    approval: venue === undefined ? null : { ...venue.approval, permit2: world.permit2 },
  })
  return [
    ...judgeBuildEngine({ engine: build.engine, route: build.route, preferEngine: asked.preferEngine }),
    ...verdicts,
    ...judgeFeeTransfer({
      feeTransfer: build.feeTransfer,
      engine: build.engine,
      feeBps,
      amountInRaw,
      inputIsNative,
      tokenIn: asked.from.address,
      feeWallet: world.feeWallet,
    }),
    ...judgeCalldata({
      route: build.route,
      tx: build.tx,
      sender: asked.sender ?? '',
      tokenIn: asked.from.address,
      tokenOut: asked.to.address,
      toDecimals: asked.to.decimals,
      amountInRaw,
      feeBps,
      partnerFeeRecipient: asked.partnerFeeRecipient ?? null,
      feeTransferRaw,
    }),
  ]
}

function judgeAttributionOf({ key, atMs, answer }: Answered, json: unknown): readonly Verdict[] {
  if (key === null) return []
  const { attribution, feeTransfer } = recordOf(json)
  return judgeAttribution({
    attribution,
    keyKind: key.kind,
    hasFeeTransfer: feeTransfer !== null && feeTransfer !== undefined,
    askedAtMs: atMs,
    answeredAtMs: answer.atMs,
  }).verdicts
}

/** The swap that these parameters ask for; null when there is none, or the world does not name one of its tokens. */
function askedBy(parameters: Readonly<Record<string, unknown>>, world: World): Asked | null {
  const token = (symbol: unknown) =>
    [...world.registry, ...world.otherTokens].find((each) => each.symbol === symbol)
  const [from, to] = [token(parameters.from), token(parameters.to)]
  const amount = Number(parameters.amount)
  if (from === undefined || to === undefined || !(amount > 0 && amount < Number.POSITIVE_INFINITY))
    return null
  const number = (name: 'slippageBps' | 'partnerFeeBps') =>
    parameters[name] === undefined ? {} : { [name]: Number(parameters[name]) }
  const { partnerFeeRecipient, sender } = parameters
  return {
    from,
    to,
    amount,
    sender: typeof sender === 'string' ? sender : null,
    ...number('slippageBps'),
    ...number('partnerFeeBps'),
    ...(typeof partnerFeeRecipient === 'string' ? { partnerFeeRecipient } : {}),
    preferEngine: VENUE_IDS.find((id) => id === (parameters.preferEngine ?? parameters.engine)) ?? null,
  }
}

function observedOf({ answer: { status, headers, body } }: Answered): ObservedAnswer {
  return { status, headers, json: bodyJson(body) }
}

function recordOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
}
