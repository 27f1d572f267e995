import type { Case } from '../src/runner/cases/case.ts'
import { bothNamesCases } from './bothNames.ts'
import { buildAnswerCases } from './build/answers.ts'
import { approvalCases } from './build/approvals.ts'
import { attributionCases } from './build/attribution.ts'
import { bodyRefusals } from './build/bodies.ts'
import { deliveredCases } from './build/delivered.ts'
import { fallThroughCases, venueFaultCases } from './build/fallThrough.ts'
import { letterCases } from './build/letterCase.ts'
import { minimumCases } from './build/minimum.ts'
import { overlappingBuilds } from './build/overlapping.ts'
import { silentVenueCases } from './build/silentVenue.ts'
import { upstreamCases } from './build/upstream.ts'
import { combinationCases } from './combinations/index.ts'
import { confirmBudget } from './confirm/budget.ts'
import { depthCases } from './confirm/depth.ts'
import { matchingCases } from './confirm/matching.ts'
import { openConfirmPoints } from './confirm/open.ts'
import { outerCase } from './confirm/outer.ts'
import { overlappingCases } from './confirm/overlapping.ts'
import { confirmRefusals } from './confirm/refusals.ts'
import { restartCase } from './confirm/restarted.ts'
import { walkCases } from './confirm/walks.ts'
import { durationCases } from './durations.ts'
import { grammarCases } from './grammar/index.ts'
import { partnerCases } from './partners/report.ts'
import { answerCases } from './quote/answers.ts'
import { deadFeedsCase } from './quote/deadFeeds.ts'
import { freshMarketCase } from './quote/freshMarket.ts'
import { gasCostCases } from './quote/gasCost.ts'
import { memoCases } from './quote/memo.ts'
import { memoKeyCases } from './quote/memoKeys.ts'
import { networkFeeCase } from './quote/networkFee.ts'
import { openQuotePoints } from './quote/open.ts'
import { parameterRefusals } from './quote/parameters.ts'
import { sameNumbersCases } from './quote/sameNumbers.ts'
import { servedCases } from './quote/served.ts'
import { tieCase } from './quote/ties.ts'
import { serviceCases } from './service.ts'

/** Returns every case of the suite, in the order of the specification's subjects. Each expects a fresh environment. */
export function conformanceCases(): readonly Case[] {
  return [
    ...serviceCases,
    ...parameterRefusals,
    ...servedCases,
    ...sameNumbersCases,
    ...answerCases,
    tieCase,
    ...gasCostCases,
    networkFeeCase,
    deadFeedsCase,
    freshMarketCase,
    ...memoCases,
    ...memoKeyCases,
    ...openQuotePoints,
    ...venueFaultCases,
    ...bodyRefusals,
    ...letterCases,
    ...buildAnswerCases,
    ...bothNamesCases,
    ...attributionCases,
    ...approvalCases,
    ...minimumCases,
    ...fallThroughCases,
    ...deliveredCases,
    overlappingBuilds,
    ...upstreamCases,
    ...silentVenueCases,
    ...durationCases,
    ...confirmRefusals,
    ...confirmBudget,
    ...depthCases,
    ...overlappingCases,
    ...matchingCases,
    outerCase,
    restartCase,
    ...openConfirmPoints,
    ...partnerCases,
    ...grammarCases,
    ...combinationCases,
    ...walkCases,
  ]
}
