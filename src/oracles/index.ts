/**
 * The public entry of the oracles: one judge for each endpoint and one for clients, the types of their input, and the
 * arithmetic that the suites share with them. Everything else in this folder is internal.
 */

export { baseUnitsAskedBy, baseUnitsShownBy, isPrintingOf } from './amounts/decimal.ts'
export { multiply, type Rational, rational } from './amounts/rational.ts'
export { BALANCE_RULES } from './build/balanceChanges.ts'
export { type DecodedSwap, decodeSwap } from './build/calldata.ts'
export { judgeBuild } from './build/judgeBuild.ts'
export { parseValidUntil } from './build/window.ts'
export { type Role, type RoledTransaction, rolesOf } from './client/builds.ts'
export { judgeClient } from './client/judgeClient.ts'
export type {
  ClientBalance,
  ClientEnding,
  ClientIntent,
  ClientRequest,
  ClientTransaction,
  ObservedClient,
} from './client/observation.ts'
export {
  observeClientRequest,
  observeClientResponse,
  observeClientTransaction,
} from './client/observed.ts'
export { describeEnding } from './client/refusals.ts'
export { isDeepEnough, SURELY_DEEP } from './confirm/confirmable.ts'
export { INTENDED_STATUS as STAGED_STATUS, type TransactionFacts } from './confirm/confirmFacts.ts'
export type { ConfirmHistory, ObservedReport, RecordedReport } from './confirm/confirmHistory.ts'
export { judgeConfirm, type ReportHistory } from './confirm/judgeConfirm.ts'
export { judgePartnerReport, type PartnerFigures, readPartnerReport } from './confirm/partnerReport.ts'
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
export { judgeQuote } from './quote/judgeQuote.ts'
export {
  breaksRule,
  mustBe,
  type RawRequest,
  type Reading,
  readRequest,
  SERVED,
  SWAP_FIELDS,
} from './request/readRequest.ts'
export { bodyOf } from './response/answer.ts'
export { buildRefusalStatuses } from './response/errors.ts'
export { acceptedMarks, type FeedMarks } from './route/impact.ts'
export type { ModelAnswer } from './route/quoteVsModel.ts'
export { GAS_FACTOR, isAboutAsMuch } from './route/ranking.ts'
export { minimumOf, promisedMinimum } from './route/route.ts'
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
export {
  asOneFinding,
  type Choice,
  judge,
  type Outcome,
  observe,
  observeChoice,
  sameAddress,
  type Verdict,
} from './verdict.ts'
