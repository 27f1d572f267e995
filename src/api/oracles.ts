/**
 * The judges, as pure functions: observed facts in, verdicts with requirement ids out. None of them asks anything, so they
 * serve in any test, whatever reaches the service.
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
export {
  type AttributionFacts,
  type AttributionResult,
  judgeAttribution,
  judgeDistinctBuildIds,
} from '../oracles/attribution.ts'
export { type BuildEngineFacts, judgeBuildEngine } from '../oracles/buildEngine.ts'
export {
  judgeBuildCacheControl,
  judgeMemo,
  judgeQuoteCacheControl,
  type MemoFacts,
} from '../oracles/cache.ts'
export {
  type CalldataFacts,
  type DecodedSwap,
  decodeSwap,
  judgeCalldata,
  promisedMinimum,
} from '../oracles/calldata.ts'
export { judgeConfirm, judgeRetryAfter } from '../oracles/confirm.ts'
export { type Expectation, expectationOf } from '../oracles/confirmExpectation.ts'
export type { BuildFacts, KeyState, ReportFacts, TransactionFacts } from '../oracles/confirmFacts.ts'
export { type ConfirmHistory, judgeConfirmHistory, type ObservedReport } from '../oracles/confirmHistory.ts'
export {
  baseUnitsAskedBy,
  baseUnitsShownBy,
  exactOfDouble,
  formatBaseUnits,
  isPrintingOf,
  NotFiniteError,
  toleranceOfDouble,
} from '../oracles/decimal.ts'
export { judgeDuration } from '../oracles/duration.ts'
export { type EnvelopeFacts, judgeFeeEnvelope } from '../oracles/envelope.ts'
export {
  judgeBuildFailure,
  judgeBuildRefusal,
  judgeNoExecutableRoute,
  judgeNoPrice,
  judgeQuoteRefusal,
} from '../oracles/errors.ts'
export { feeIsFair, feeOf } from '../oracles/fee.ts'
export { type FeeTransferFacts, judgeFeeTransfer } from '../oracles/feeTransfer.ts'
export { type HopFacts, judgeHops } from '../oracles/hops.ts'
export { type ImpactFacts, judgeImpact } from '../oracles/impact.ts'
export { judgeQuoteVsModel, type ModelAnswer, type QuoteVsModelFacts } from '../oracles/quoteVsModel.ts'
export { judgeAnsweringVenues, judgeRanking, type RankingFacts } from '../oracles/ranking.ts'
export { judgeDistinctQuoteIds, judgeRoute, minimumOf, type RouteFacts } from '../oracles/route.ts'
export { judgeRouteShape, type ShapeResult } from '../oracles/routeShape.ts'
export { type Balances, judgeSettlement, type SettlementFacts } from '../oracles/settlement.ts'
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
export { judgeValidUntil, parseValidUntil, type ValidUntil, type WindowFacts } from '../oracles/window.ts'
