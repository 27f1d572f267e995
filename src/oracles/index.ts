/**
 * The public entry of the judges: one for each endpoint, the types of what they are given, and the arithmetic that the
 * suites share with them. Everything else in this folder is a part of the three.
 */
export { isDeepEnough, whyNotConfirmable } from './confirmable.ts'
export type { ConfirmHistory, ObservedReport } from './confirmHistory.ts'
export { judgeBuild } from './judgeBuild.ts'
export { judgeConfirm, type ReportHistory } from './judgeConfirm.ts'
export { judgeQuote } from './judgeQuote.ts'
export { type ObservedResponse, UNKNOWN_POOLS } from './observation.ts'
export { type RequestedSwap, requestedSwap, type TokenList } from './swapFacts.ts'
export { observe, type Verdict } from './verdict.ts'
