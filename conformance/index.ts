import type { Case } from '../src/runner/case.ts'
import type { Check } from '../src/runner/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { withParts } from '../src/targets/environment.ts'
import { inProcessEnvironment } from '../src/targets/inProcess.ts'
import { buildAnswerChecks } from './build/answers.ts'
import { approvalChecks } from './build/approvals.ts'
import { attributionChecks } from './build/attribution.ts'
import { bodyRefusals } from './build/bodies.ts'
import { fallThroughChecks, venueFaultChecks } from './build/fallThrough.ts'
import { minimumChecks } from './build/minimum.ts'
import { silentVenueCase, silentVenueQuoteCase } from './build/silentVenue.ts'
import { upstreamChecks } from './build/upstream.ts'
import { depthChecks } from './confirm/depth.ts'
import { matchingChecks } from './confirm/matching.ts'
import { openConfirmPoints } from './confirm/open.ts'
import { outerCheck } from './confirm/outer.ts'
import { confirmRefusals } from './confirm/refusals.ts'
import { durationCases } from './durations.ts'
import { partnerChecks } from './partners/report.ts'
import { answerChecks } from './quote/answers.ts'
import { deadFeedsCase } from './quote/deadFeeds.ts'
import { gasCostCase } from './quote/gasCost.ts'
import { memoChecks } from './quote/memo.ts'
import { openQuotePoints } from './quote/open.ts'
import { parameterRefusals } from './quote/parameters.ts'
import { sameNumbersChecks } from './quote/sameNumbers.ts'
import { servedChecks } from './quote/served.ts'
import { tieCheck } from './quote/ties.ts'
import { serviceChecks } from './service.ts'

/** Every case of the suite, in the order of the specification's subjects. Each expects an environment as it was at the start. */
export function conformanceCases(): readonly Case[] {
  return [
    ...serviceChecks,
    ...parameterRefusals,
    ...servedChecks,
    ...sameNumbersChecks,
    ...answerChecks,
    tieCheck,
    gasCostCase,
    deadFeedsCase,
    ...memoChecks,
    ...openQuotePoints,
    ...venueFaultChecks,
    ...bodyRefusals,
    ...buildAnswerChecks,
    ...attributionChecks,
    ...approvalChecks,
    ...minimumChecks,
    ...fallThroughChecks,
    ...upstreamChecks,
    silentVenueCase,
    silentVenueQuoteCase,
    ...durationCases,
    ...confirmRefusals,
    ...depthChecks,
    ...matchingChecks,
    outerCheck,
    ...openConfirmPoints,
    ...partnerChecks,
  ]
}

/** The same cases, run against the service of a world. */
export function conformanceChecks(): readonly Check<World>[] {
  return conformanceCases().map((testCase) => ({
    ...testCase,
    run: (world: World) => testCase.run(withParts(inProcessEnvironment(world), testCase.uses)),
  }))
}
