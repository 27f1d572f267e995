/**
 * The judges, as pure functions: observed facts in, verdicts with requirement ids out. None of them sends a request, so
 * they work in any test. `judgeQuote`, `judgeBuild` and `judgeConfirm` judge whatever an endpoint responded; the others
 * are their parts.
 *
 * @example
 * ```ts
 * import { failedRequirements, judgeQuoteCacheControl } from 'plumbline/oracles'
 *
 * const response = await fetch(`${base}/api/v1/quote?from=ETH&to=USDG&amount=1`)
 * const verdict = judgeQuoteCacheControl({
 *   status: response.status,
 *   headers: Object.fromEntries(response.headers),
 *   json: await response.json(),
 * })
 * expect(failedRequirements([verdict])).toEqual([])
 * ```
 */
export { bodyOf, type ObservedAnswer } from '../oracles/answer.ts'
export * from '../oracles/attribution.ts'
export { type BuildEngineFacts, judgeBuildEngine } from '../oracles/buildEngine.ts'
export {
  judgeBuildCacheControl,
  judgeMemo,
  judgeQuoteCacheControl,
  type MemoFacts,
} from '../oracles/cache.ts'
export * from '../oracles/calldata.ts'
export { whyNotConfirmable } from '../oracles/confirmable.ts'
export { type Expectation, expectationOf } from '../oracles/confirmExpectation.ts'
export type { BuildFacts, KeyState, ReportFacts, TransactionFacts } from '../oracles/confirmFacts.ts'
export { type ConfirmHistory, judgeConfirmHistory, type ObservedReport } from '../oracles/confirmHistory.ts'
export * from '../oracles/decimal.ts'
export { judgeDuration } from '../oracles/duration.ts'
export { type EnvelopeFacts, judgeFeeEnvelope } from '../oracles/envelope.ts'
export * from '../oracles/errors.ts'
export { feeIsFair, feeOf } from '../oracles/fee.ts'
export { type FeeTransferFacts, judgeFeeTransfer } from '../oracles/feeTransfer.ts'
export { type HopFacts, judgeHops } from '../oracles/hops.ts'
export {
  acceptedMarks,
  type FeedMarks,
  type ImpactFacts,
  judgeImpact,
  type UsdMarks,
} from '../oracles/impact.ts'
export { type BuildJudgement, judgeBuild } from '../oracles/judgeBuild.ts'
export { judgeConfirm, type ReportHistory } from '../oracles/judgeConfirm.ts'
export { judgeQuote } from '../oracles/judgeQuote.ts'
export type { RouteJudgement } from '../oracles/judgeRouteBody.ts'
export * from '../oracles/observation.ts'
export type { HistoryReport, ObservedTotals } from '../oracles/partnerTotals.ts'
export { judgeQuoteVsModel, type ModelAnswer, type QuoteVsModelFacts } from '../oracles/quoteVsModel.ts'
export * from '../oracles/ranking.ts'
export { judgeReport, judgeRetryAfter } from '../oracles/report.ts'
export {
  judgeDistinctQuoteIds,
  judgeRoute,
  minimumOf,
  promisedMinimum,
  type RouteFacts,
} from '../oracles/route.ts'
export { judgeRouteShape, type ShapeResult } from '../oracles/routeShape.ts'
export { type Balances, judgeSettlement, type SettlementFacts } from '../oracles/settlement.ts'
export {
  type KnownToken,
  type RequestedSwap,
  requestedSwap,
  type SwapFacts,
  type TokenList,
} from '../oracles/swapFacts.ts'
export { type ApprovalFacts, judgeTx, type TxFacts, type TxResult } from '../oracles/tx.ts'
export {
  failedRequirements,
  judge,
  type Outcome,
  observe,
  sameAddress,
  show,
  type Verdict,
  type VerdictDetails,
} from '../oracles/verdict.ts'
export type { WellFormedRoute } from '../oracles/wellFormed.ts'
export { judgeValidUntil, parseValidUntil, type ValidUntil, type WindowFacts } from '../oracles/window.ts'
