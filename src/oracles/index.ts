/**
 * The public entry of the judges: one for each endpoint, the types of what they are given, and the arithmetic that the
 * suites share with them. Everything else in this folder is a part of the three.
 */
export { bodyOf } from './answer.ts'
export { BALANCE_RULES } from './balanceChanges.ts'
export { type DecodedSwap, decodeSwap } from './calldata.ts'
export { isDeepEnough, SURELY_DEEP } from './confirmable.ts'
export { INTENDED_STATUS as STAGED_STATUS, type TransactionFacts } from './confirmFacts.ts'
export type { ConfirmHistory, ObservedReport } from './confirmHistory.ts'
export { baseUnitsAskedBy, baseUnitsShownBy, isPrintingOf } from './decimal.ts'
export { buildRefusalStatuses } from './errors.ts'
export { acceptedMarks, type FeedMarks } from './impact.ts'
export { judgeBuild } from './judgeBuild.ts'
export { judgeConfirm, type ReportHistory } from './judgeConfirm.ts'
export { judgeQuote } from './judgeQuote.ts'
export {
  type BalanceChange,
  type BuildMustBe,
  type BuildObservation,
  type EarlierQuote,
  type Intent,
  type KnownPools,
  type KnownSettlements,
  type ObservedExecution,
  type ObservedResponse,
  type QuoteMustBe,
  type QuoteObservation,
  UNKNOWN_POOLS,
} from './observation.ts'
export type { ModelAnswer } from './quoteVsModel.ts'
export { GAS_FACTOR, isAboutAsMuch } from './ranking.ts'
export { multiply, type Rational, rational } from './rational.ts'
export { minimumOf, promisedMinimum } from './route.ts'
export {
  factsOf,
  isLeftOpen,
  type KnownToken,
  parametersOf,
  type RequestedSwap,
  requestedSwap,
  type SwapFacts,
  type SwapParameters,
  type TokenList,
  tokenOf,
} from './swapFacts.ts'
export { asOneFinding, judge, type Outcome, observe, sameAddress, type Verdict } from './verdict.ts'
export { parseValidUntil } from './window.ts'
