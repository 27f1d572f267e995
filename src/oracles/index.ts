/**
 * The public entry of the judges: one for each endpoint, the types of what they are given, and the arithmetic that the
 * suites share with them. Everything else in this folder is a part of the three.
 */
export { bodyOf, type ObservedAnswer } from './answer.ts'
export { BALANCE_RULES } from './balanceChanges.ts'
export { type DecodedSwap, decodeSwap, promisedMinimum } from './calldata.ts'
export {
  depthOf,
  isDeepEnough,
  lastSecondOf,
  SURELY_DEEP,
  whyNotConfirmable,
  windowOf,
} from './confirmable.ts'
export type { BuildFacts, KeyState, TransactionFacts } from './confirmFacts.ts'
export type { ConfirmHistory, ObservedReport } from './confirmHistory.ts'
export {
  baseUnitsAskedBy,
  baseUnitsShownBy,
  exactOfDouble,
  formatBaseUnits,
  isPrintingOf,
  toleranceOfDouble,
} from './decimal.ts'
export { feeIsFair, feeOf } from './fee.ts'
export { acceptedMarks, type FeedMarks, type UsdMarks } from './impact.ts'
export { type BuildJudgement, judgeBuild } from './judgeBuild.ts'
export { judgeConfirm, type ReportHistory } from './judgeConfirm.ts'
export { judgeQuote } from './judgeQuote.ts'
export type { RouteJudgement } from './judgeRouteBody.ts'
export * from './observation.ts'
export type { HistoryReport, ObservedTotals } from './partnerTotals.ts'
export type { ModelAnswer } from './quoteVsModel.ts'
export {
  factsOf,
  type KnownToken,
  parametersOf,
  type RequestedSwap,
  requestedSwap,
  type SwapAsk,
  type SwapFacts,
  type TokenList,
  tokenOf,
} from './swapFacts.ts'
export {
  failedRequirements,
  judge,
  type Outcome,
  observe,
  sameAddress,
  show,
  type Verdict,
} from './verdict.ts'
export { parseValidUntil } from './window.ts'
