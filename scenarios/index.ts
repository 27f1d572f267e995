import { fileURLToPath } from 'node:url'
import { keptCheck, readKeptFailures } from '../src/runner/keptFailure.ts'
import { type Scenario, scenarioCheck } from '../src/runner/scenario.ts'
import type { Check } from '../src/runner/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { millions } from './attribution/millions.ts'
import { pricedAndUnpriced } from './attribution/pricedAndUnpriced.ts'
import { sameReportAtOnce } from './attribution/sameReportAtOnce.ts'
import { sameReportBetweenReads } from './attribution/sameReportBetweenReads.ts'
import { twoBuildsAtOnce } from './attribution/twoBuildsAtOnce.ts'
import { twoBuildsOneTransaction } from './attribution/twoBuildsOneTransaction.ts'
import { twoTransactionsAtOnce } from './attribution/twoTransactionsAtOnce.ts'
import { twoTransactionsOneBuild } from './attribution/twoTransactionsOneBuild.ts'
import { sharedByKeys } from './budget/sharedByKeys.ts'
import { spent } from './budget/spent.ts'
import { elevenTwelveThirteen } from './depth/elevenTwelveThirteen.ts'
import { neverApproved } from './execution/neverApproved.ts'
import { noReturnValue } from './execution/noReturnValue.ts'
import { pennilessSender } from './execution/pennilessSender.ts'
import { reverted } from './execution/reverted.ts'
import { buildNotSaved } from './failures/buildNotSaved.ts'
import { lineDown } from './failures/lineDown.ts'
import { nodeAwayOnBuild } from './failures/nodeAwayOnBuild.ts'
import { nodeAwayWithinBuild } from './failures/nodeAwayWithinBuild.ts'
import { nodeAwayWithinQuote } from './failures/nodeAwayWithinQuote.ts'
import { nodeRefuses } from './failures/nodeRefuses.ts'
import { nodeRefusesWithinBuild } from './failures/nodeRefusesWithinBuild.ts'
import { nodeSilentOnConfirm } from './failures/nodeSilentOnConfirm.ts'
import { nodeTalksRubbish } from './failures/nodeTalksRubbish.ts'
import { recordAnswerLost } from './failures/recordAnswerLost.ts'
import { restarted } from './failures/restarted.ts'
import { storeDown } from './failures/storeDown.ts'
import { burningGas } from './fallThrough/burningGas.ts'
import { burningGasOnQuote } from './fallThrough/burningGasOnQuote.ts'
import { deliveringLess } from './fallThrough/deliveringLess.ts'
import { onlyVenue } from './fallThrough/onlyVenue.ts'
import { reverting } from './fallThrough/reverting.ts'
import { revertingOnQuote } from './fallThrough/revertingOnQuote.ts'
import { talkingNonsense } from './fallThrough/talkingNonsense.ts'
import { withoutLiquidity } from './fallThrough/withoutLiquidity.ts'
import { approvalReported } from './hashes/approvalReported.ts'
import { batched } from './hashes/batched.ts'
import { feeTransferReported } from './hashes/feeTransferReported.ts'
import { feeTransferSkipped } from './hashes/feeTransferSkipped.ts'
import { otherBuildsTransaction } from './hashes/otherBuildsTransaction.ts'
import { permitReported } from './hashes/permitReported.ts'
import { somebodyElseSent } from './hashes/somebodyElseSent.ts'
import { legacyKey } from './keys/legacyKey.ts'
import { replacedKey } from './keys/replacedKey.ts'
import { revokedBeforeConfirm } from './keys/revokedBeforeConfirm.ts'
import { twoKeys } from './keys/twoKeys.ts'
import { twoKeysAtOnce } from './keys/twoKeysAtOnce.ts'
import { marketEstimate } from './prices/marketEstimate.ts'
import { movedBetweenQuoteAndBuild } from './prices/movedBetweenQuoteAndBuild.ts'
import { movedForTheUser } from './prices/movedForTheUser.ts'
import { movedPastSlippage } from './prices/movedPastSlippage.ts'
import { movedWithinBuild } from './prices/movedWithinBuild.ts'
import { movedWithinSlippage } from './prices/movedWithinSlippage.ts'
import { taxedToken } from './prices/taxedToken.ts'
import { afterRecorded } from './reorg/afterRecorded.ts'
import { betweenCheckAndRecord } from './reorg/betweenCheckAndRecord.ts'
import { betweenReceiptAndBlock } from './reorg/betweenReceiptAndBlock.ts'
import { headFallsBelowReceipt } from './reorg/headFallsBelowReceipt.ts'
import { headFallsWhileJudged } from './reorg/headFallsWhileJudged.ts'
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
  headFallsWhileJudged,
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
  elevenTwelveThirteen,
  pricedAndUnpriced,
  millions,
  sameReportAtOnce,
  sameReportBetweenReads,
  twoBuildsAtOnce,
  twoBuildsOneTransaction,
  twoTransactionsAtOnce,
  twoTransactionsOneBuild,
  legacyKey,
  replacedKey,
  revokedBeforeConfirm,
  twoKeys,
  twoKeysAtOnce,
  approvalReported,
  batched,
  feeTransferReported,
  feeTransferSkipped,
  otherBuildsTransaction,
  permitReported,
  somebodyElseSent,
  neverApproved,
  noReturnValue,
  pennilessSender,
  reverted,
  sharedByKeys,
  spent,
  buildNotSaved,
  lineDown,
  nodeAwayOnBuild,
  nodeAwayWithinBuild,
  nodeAwayWithinQuote,
  nodeRefuses,
  nodeRefusesWithinBuild,
  nodeSilentOnConfirm,
  nodeTalksRubbish,
  recordAnswerLost,
  restarted,
  storeDown,
  marketEstimate,
  taxedToken,
  movedBetweenQuoteAndBuild,
  movedForTheUser,
  movedPastSlippage,
  movedWithinBuild,
  movedWithinSlippage,
  burningGas,
  burningGasOnQuote,
  deliveringLess,
  onlyVenue,
  reverting,
  revertingOnQuote,
  talkingNonsense,
  withoutLiquidity,
]

/** Where simulations keep the scripts that the service failed. */
export const KEPT_FOLDER = fileURLToPath(new URL('./kept/', import.meta.url))

/**
 * Every kept failure, then every story, as a check of a world, which it resets first. `seed` decides the identifiers
 * that the service gives out; a kept failure has its own.
 *
 * @throws {KeptFailureError} a file among the kept failures is none.
 */
export function scenarioChecks(seed = 1): readonly Check<World>[] {
  return [
    ...readKeptFailures(KEPT_FOLDER).map(keptCheck),
    ...SCENARIOS.map((scenario) => scenarioCheck(scenario, seed)),
  ]
}
