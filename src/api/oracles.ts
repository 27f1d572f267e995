/**
 * The judges, as pure functions: observed facts in, verdicts with requirement ids out. None of them sends a request, so
 * they work in any test. `judgeQuote`, `judgeBuild` and `judgeConfirm` judge any response of an endpoint; the others
 * are their parts.
 *
 * @example
 * ```ts
 * import { failedRequirements, judgeQuoteCacheControl } from 'plumbline-conformance/oracles'
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

export * from '../oracles/amounts/decimal.ts'
export { feeIsFair, feeOf } from '../oracles/amounts/fee.ts'
export * from '../oracles/build/attribution.ts'
export * from '../oracles/build/calldata.ts'
export { type FeeTransferFacts, judgeFeeTransfer } from '../oracles/build/feeTransfer.ts'
export * from '../oracles/build/judgeBuild.ts'
export { type Balances, judgeSettlement, type SettlementFacts } from '../oracles/build/settlement.ts'
export { type ApprovalFacts, judgeTx, type TxFacts, type TxResult } from '../oracles/build/tx.ts'
export {
  judgeValidUntil,
  parseValidUntil,
  type ValidUntil,
  type WindowFacts,
} from '../oracles/build/window.ts'
export { whyNotConfirmable } from '../oracles/confirm/confirmable.ts'
export { type Expectation, expectationOf } from '../oracles/confirm/confirmExpectation.ts'
export type { BuildFacts, KeyState, ReportFacts, TransactionFacts } from '../oracles/confirm/confirmFacts.ts'
export {
  type ConfirmHistory,
  judgeConfirmHistory,
  type ObservedReport,
} from '../oracles/confirm/confirmHistory.ts'
export { judgeConfirm, type ReportHistory } from '../oracles/confirm/judgeConfirm.ts'
export type { HistoryReport, ObservedTotals } from '../oracles/confirm/partnerTotals.ts'
export { judgeReport, judgeRetryAfter } from '../oracles/confirm/report.ts'
export * from '../oracles/observation.ts'
export { judgeDuration } from '../oracles/quote/duration.ts'
export { judgeQuote } from '../oracles/quote/judgeQuote.ts'
export { bodyOf, type ObservedAnswer } from '../oracles/response/answer.ts'
export {
  judgeBuildCacheControl,
  judgeMemo,
  judgeQuoteCacheControl,
  type MemoFacts,
} from '../oracles/response/cache.ts'
export * from '../oracles/response/errors.ts'
export type { WellFormedRoute } from '../oracles/response/wellFormed.ts'
export { type EnvelopeFacts, judgeFeeEnvelope } from '../oracles/route/envelope.ts'
export { type HopFacts, judgeHops } from '../oracles/route/hops.ts'
export {
  acceptedMarks,
  type FeedMarks,
  type ImpactFacts,
  judgeImpact,
  type UsdMarks,
} from '../oracles/route/impact.ts'
export type { RouteJudgement } from '../oracles/route/judgeRouteBody.ts'
export { judgeQuoteVsModel, type ModelAnswer, type QuoteVsModelFacts } from '../oracles/route/quoteVsModel.ts'
export * from '../oracles/route/ranking.ts'
export {
  judgeDistinctQuoteIds,
  judgeRoute,
  minimumOf,
  promisedMinimum,
  type RouteFacts,
} from '../oracles/route/route.ts'
export { judgeRouteShape, type ShapeResult } from '../oracles/route/routeShape.ts'
export {
  type KnownToken,
  type RequestedSwap,
  requestedSwap,
  type SwapFacts,
  type TokenList,
} from '../oracles/swapFacts.ts'
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
