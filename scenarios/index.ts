import { type Scenario, scenarioCheck } from '../src/harness/scenario.ts'
import type { Check } from '../src/harness/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { afterRecorded } from './reorg/afterRecorded.ts'
import { betweenCheckAndRecord } from './reorg/betweenCheckAndRecord.ts'
import { betweenReceiptAndBlock } from './reorg/betweenReceiptAndBlock.ts'
import { headFallsBelowReceipt } from './reorg/headFallsBelowReceipt.ts'
import { headMovesBackwards } from './reorg/headMovesBackwards.ts'
import { movedBackIntoWindow } from './reorg/movedBackIntoWindow.ts'
import { movedPastWindow } from './reorg/movedPastWindow.ts'
import { movesToLaterBlock } from './reorg/movesToLaterBlock.ts'
import { movesWhileJudged } from './reorg/movesWhileJudged.ts'
import { returnsInAnotherBlock } from './reorg/returnsInAnotherBlock.ts'
import { revertsOnNewBranch } from './reorg/revertsOnNewBranch.ts'
import { sameHeightOtherHash } from './reorg/sameHeightOtherHash.ts'
import { succeedsOnNewBranch } from './reorg/succeedsOnNewBranch.ts'
import { cancelled } from './replacement/cancelled.ts'
import { changedFeeRecipient } from './replacement/changedFeeRecipient.ts'
import { changedMinimum } from './replacement/changedMinimum.ts'
import { changedRecipient } from './replacement/changedRecipient.ts'
import { changedTarget } from './replacement/changedTarget.ts'
import { changedValue } from './replacement/changedValue.ts'
import { dropped } from './replacement/dropped.ts'
import { higherFee } from './replacement/higherFee.ts'
import { atTheEnd } from './window/atTheEnd.ts'
import { endsBetweenSeconds } from './window/endsBetweenSeconds.ts'
import { executedBeforeBuild } from './window/executedBeforeBuild.ts'
import { executedInTheSecondOfBuild } from './window/executedInTheSecondOfBuild.ts'
import { oneSecondAfterEnd } from './window/oneSecondAfterEnd.ts'
import { oneSecondBeforeEnd } from './window/oneSecondBeforeEnd.ts'
import { reportedLate } from './window/reportedLate.ts'
import { stillPendingAtEnd } from './window/stillPendingAtEnd.ts'

/** Every story, family by family. */
export const SCENARIOS: readonly Scenario[] = [
  afterRecorded,
  betweenCheckAndRecord,
  betweenReceiptAndBlock,
  headFallsBelowReceipt,
  headMovesBackwards,
  movedBackIntoWindow,
  movedPastWindow,
  movesToLaterBlock,
  movesWhileJudged,
  returnsInAnotherBlock,
  revertsOnNewBranch,
  sameHeightOtherHash,
  succeedsOnNewBranch,
  cancelled,
  changedFeeRecipient,
  changedMinimum,
  changedRecipient,
  changedTarget,
  changedValue,
  dropped,
  higherFee,
  atTheEnd,
  endsBetweenSeconds,
  executedBeforeBuild,
  executedInTheSecondOfBuild,
  oneSecondAfterEnd,
  oneSecondBeforeEnd,
  reportedLate,
  stillPendingAtEnd,
]

/** Every story as a check of a world, which it resets first. `seed` decides the identifiers that the service gives out. */
export function scenarioChecks(seed = 1): readonly Check<World>[] {
  return SCENARIOS.map((scenario) => scenarioCheck(scenario, seed))
}
