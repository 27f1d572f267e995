import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import {
  attributionSchema,
  type BuildResponse,
  buildResponseSchema,
  feeTransferSchema,
  type Route,
  txSchema,
} from '../../spec/wire.ts'
import type { BuildObservation } from '../observation.ts'
import { judgeDurationOf, seenOf } from '../quote/judgeQuote.ts'
import { bodyOf } from '../response/answer.ts'
import { judgeBuildCacheControl } from '../response/cache.ts'
import { judgeBuildFailure, judgeBuildRefusal, judgeNoExecutableRoute } from '../response/errors.ts'
import { judgedBy, type WellFormedRoute, wellFormedFields } from '../response/wellFormed.ts'
import { judgeRouteBody } from '../route/judgeRouteBody.ts'
import { asOneFinding, following, judge, type Verdict } from '../verdict.ts'
import { judgeAttribution, judgeDistinctBuildIds } from './attribution.ts'
import { decodeSwap, judgeCalldata } from './calldata.ts'
import { judgeFeeTransfer, judgeFeeTransferShape } from './feeTransfer.ts'
import { judgeExecution } from './judgeExecution.ts'
import { approvalOf, judgeTx } from './tx.ts'

export interface BuildJudgement {
  /** Verdicts on the response. */
  readonly verdicts: readonly Verdict[]
  /** Verdicts on the execution; empty without one. */
  readonly settlement: readonly Verdict[]
  /** Null: not served, or malformed. */
  readonly build: BuildResponse | null
  readonly route: Route | null
}

/** The statuses that the specification shows for build (§4.2, §7). */
const SHOWN_STATUSES: ReadonlySet<number> = new Set([200, 400, 422, 502])

type Body = Readonly<Record<string, unknown>>

/**
 * Judges one build (§4.2) by the request and the other known facts: its status, headers, route, transaction and attribution
 * and, if the transaction was executed, its effects.
 */
export function judgeBuild(observation: BuildObservation): BuildJudgement {
  const { response, intent } = observation
  const cached = SHOWN_STATUSES.has(response.status) ? [judgeBuildCacheControl(response)] : []
  const outcome = asOneFinding(judgeStatus(observation))
  const status = [...judgeDurationOf('build', response), ...outcome, ...cached]
  const unserved = { verdicts: status, settlement: [], build: null, route: null }
  if (response.status !== 200 || intent.mustBe === 'refused') return unserved
  const body = bodyOf(response)
  const { envelope, verdicts, route, fields } = judgeRouteBody('build', body, observation)
  const parsed = buildResponseSchema.safeParse(response.json)
  const build = parsed.success ? parsed.data : null
  const parts = [
    ...envelope,
    ...verdicts,
    ...judgeAttributionOf(body, observation),
    ...judgeParts(body, fields, observation),
  ]
  // If the build should not exist at all, failures of its parts follow from that.
  const isUncalledFor = ['unbuildable', 'failed', 'unserved'].includes(intent.mustBe)
  return {
    verdicts: [...status, ...(isUncalledFor ? following(outcome, parts) : parts)],
    settlement: build === null ? [] : judgeExecution(build, observation),
    build,
    route,
  }
}

/** Judges the status, and the body of an error, against the required outcome. */
function judgeStatus({ request, response, intent }: BuildObservation): readonly Verdict[] {
  const { mustBe, clauses = [], boundaryClasses } = intent
  const { status } = response
  const classed = (verdicts: readonly Verdict[]) =>
    boundaryClasses === undefined ? verdicts : verdicts.map((verdict) => ({ ...verdict, boundaryClasses }))
  // Such an amount may be refused with 400 or 422: which is not shown.
  const isBelowBaseUnit = request.swap?.facts.amountInRaw === 0n
  switch (mustBe) {
    case 'anything':
      if (status === 422 && isBelowBaseUnit) return []
      if (status === 422) return judgeNoExecutableRoute('build.no-executable-route.body', response)
      return status === 502 ? [judgeBuildFailure(response)] : []
    case 'refused':
      return classed(clauses.flatMap((clause) => judgeBuildRefusal(clause, response)))
    case 'unbuildable':
      return classed(clauses.flatMap((clause) => judgeNoExecutableRoute(clause, response)))
    case 'failed':
      return classed([judgeBuildFailure(response)])
    case 'unserved': {
      if (status !== 422) return classed([judgeBuildFailure(response)])
      return classed(judgeNoExecutableRoute('build.no-executable-route.body', response))
    }
    case 'served-or-failed': {
      if (status !== 200) return classed([judgeBuildFailure(response)])
      const { success } = buildResponseSchema.safeParse(response.json)
      const details = {
        expected: 'a complete build, or status 502',
        actual: seenOf(response),
        boundaryClasses,
      }
      return clauses.map((clause) => judge(clause, success, details))
    }
    case 'served':
      return (['build.returns-transaction', ...clauses] as const).map((clause) =>
        judge(clause, status === 200, { expected: 'status 200', actual: seenOf(response), boundaryClasses }),
      )
    case 'answered': {
      if (isBelowBaseUnit) return []
      const refused = status === 422 && bodyOf(response).error === 'no executable route'
      const details = {
        expected: 'a build, or 422 { error: "no executable route" }',
        actual: status === 200 ? 'a build' : seenOf(response),
      }
      const isAnswer = status === 200 || status === 422
      return [
        ...clauses.map((clause) => judge(clause, isAnswer, { ...details, boundaryClasses })),
        judge('build.no-executable-route.body', refused || status === 200, details),
      ]
    }
  }
}

function judgeAttributionOf(
  { attribution, feeTransfer }: Body,
  observation: BuildObservation,
): readonly Verdict[] {
  const { key, response, otherBuildIds = [] } = observation
  if (key === null) {
    const wellFormed = attributionSchema.nullable().safeParse(attribution).success
    const expected = 'null, or buildId, validUntil and confirmations'
    return [judge('build.response.attribution', wellFormed, { expected, actual: attribution })]
  }
  const judged = judgeAttribution({
    attribution,
    keyKind: key,
    hasFeeTransfer: feeTransfer !== null && feeTransfer !== undefined,
    askedAtMs: response.requestedAtMs,
    answeredAtMs: response.respondedAtMs,
  })
  const buildId = judged.attribution?.buildId ?? null
  return [...judged.verdicts, ...judgeDistinctBuildIds([...otherBuildIds, buildId])]
}

/** Returns the amount of the fee transfer, in base units; null: there is none; undefined: malformed. */
function feeTransferRawOf({ feeTransfer }: Body): bigint | null | undefined {
  if (feeTransfer === null) return null
  const { amountRaw } = wellFormedFields(feeTransferSchema, feeTransfer)
  return amountRaw === undefined ? undefined : BigInt(amountRaw)
}

/** Judges the parts of a build that a quote lacks: engine, transaction, fee transfer and calldata. */
function judgeParts(body: Body, route: WellFormedRoute, observation: BuildObservation): readonly Verdict[] {
  const { request, contracts, codeAtTarget } = observation
  if (request.swap === null) return []
  const { asked } = request
  const { facts } = request.swap
  const engine = VENUE_IDS.find((id) => id === body.engine)
  const { to, data } = wellFormedFields(txSchema, body.tx)
  const feeTransferRaw = feeTransferRawOf(body)
  const made = judgeTx({
    ...facts,
    tx: body.tx,
    feeTransferRaw: feeTransferRaw === undefined ? null : (feeTransferRaw ?? 0n),
    approval: to && data && contracts !== null ? approvalOf({ to, data }, contracts) : null,
  })
  const verdicts: Verdict[] = [
    ...judgedBy(route, ['engine'], (routed) =>
      judgeBuildEngine({ engine: body.engine, route: routed, preferEngine: asked.preferEngine ?? null }),
    ),
    ...made.verdicts,
  ]
  if (to !== undefined && codeAtTarget !== null)
    verdicts.push(
      judge('tx.to.contract', codeAtTarget, {
        expected: 'the address of a contract',
        actual: codeAtTarget ? to : `${to}, which has no code`,
      }),
    )
  if (engine === undefined) verdicts.push(judgeFeeTransferShape(body.feeTransfer))
  else
    verdicts.push(
      ...judgeFeeTransfer({
        ...facts,
        feeTransfer: body.feeTransfer,
        engine,
        tokenIn: facts.tokenIn.address,
        feeWallet: contracts?.feeWallet ?? null,
        feeInsideRaw: contracts === null ? null : (decodeSwap(data ?? '')?.feeRaw ?? null),
      }),
    )
  // Calldata for the contracts of a deployed service cannot be decoded.
  if (data === undefined || contracts === null) return verdicts
  const calldata = judgeCalldata({
    ...facts,
    route,
    tx: { data },
    sender: asked.sender ?? '',
    tokenIn: facts.tokenIn.address,
    tokenOut: facts.tokenOut.address,
    toDecimals: facts.tokenOut.decimals,
    partnerFeeRecipient: asked.partnerFeeRecipient ?? null,
    feeWallet: contracts.feeWallet,
    feeTransferRaw,
  })
  // If a required fee transfer is missing, a missing fee inside the transaction is the same finding.
  const unsent = verdicts.filter(({ requirement }) => requirement === 'build.fee-transfer.venues')
  const judged = calldata.flatMap((one) =>
    one.requirement === 'build.fee-inside-tx' ? following(unsent, [one]) : [one],
  )
  return [...verdicts, ...judged]
}

export interface BuildEngineFacts {
  /** `engine` of the build as received. */
  readonly engine: unknown
  readonly route: Pick<Route, 'engine'>
  readonly preferEngine: VenueId | null
}

/**
 * Judges the venue of a build (§4.2): `engine` names the venue of the route, never `market`, and a forced venue if there is
 * one.
 *
 * Not judged: whether the transaction really goes through that venue.
 */
export function judgeBuildEngine({ engine, route, preferEngine }: BuildEngineFacts): readonly Verdict[] {
  const isVenue = VENUE_IDS.some((id) => id === engine)
  const verdicts = [
    judge('build.response.engine', isVenue && engine === route.engine, {
      expected: route.engine,
      actual: engine,
    }),
  ]
  if (preferEngine !== null) {
    const forced = route.engine === preferEngine && engine === preferEngine
    const actual = { engine, route: route.engine }
    verdicts.push(judge('build.prefer-engine.forces', forced, { expected: preferEngine, actual }))
  }
  return verdicts
}
