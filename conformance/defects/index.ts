import { alternativeDefects } from './alternatives.ts'
import { amountDefects } from './amounts.ts'
import { attributionDefects } from './attribution.ts'
import { buildInputDefects } from './buildInput.ts'
import { buildRuleDefects } from './buildRules.ts'
import { buildServedDefects } from './buildServed.ts'
import { confirmAnswerDefects } from './confirmAnswers.ts'
import { confirmMatchingDefects, windowDefects } from './confirmMatching.ts'
import { RACE_DEFECTS } from './confirmRaces/index.ts'
import { confirmRefusalDefects } from './confirmRefusals.ts'
import type { Defect } from './defect.ts'
import { envelopeDefects } from './envelope.ts'
import { feeTransferDefects } from './feeTransfer.ts'
import { gasCostDefects } from './gasCost.ts'
import { hopDefects } from './hops.ts'
import { leniencyDefects } from './leniency.ts'
import { NARROW_DEFECTS } from './narrow/index.ts'
import { partnerDefects } from './partners.ts'
import { quoteAnswerDefects } from './quoteAnswers.ts'
import { quoteInputDefects } from './quoteInput.ts'
import { quoteServedDefects } from './quoteServed.ts'
import { routeDefects } from './route.ts'
import { serviceDefects } from './service.ts'
import { silentVenueDefects } from './silentVenue.ts'
import { txDefects } from './tx.ts'

/** Every broken service that the suite must tell from a good one, subject by subject. */
export const DEFECTS: readonly Defect[] = [
  ...serviceDefects,
  ...quoteInputDefects,
  ...leniencyDefects,
  ...quoteServedDefects,
  ...quoteAnswerDefects,
  ...routeDefects,
  ...hopDefects,
  ...alternativeDefects,
  ...gasCostDefects,
  ...envelopeDefects,
  ...amountDefects,
  ...buildInputDefects,
  ...buildServedDefects,
  ...silentVenueDefects,
  ...buildRuleDefects,
  ...txDefects,
  ...feeTransferDefects,
  ...attributionDefects,
  ...confirmAnswerDefects,
  ...confirmRefusalDefects,
  ...confirmMatchingDefects,
  ...windowDefects,
  ...RACE_DEFECTS,
  ...partnerDefects,
  ...NARROW_DEFECTS,
]
