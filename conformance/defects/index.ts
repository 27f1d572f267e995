import type { Defect } from '../../src/runner/proof/defect.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { alternativeDefects } from './alternatives.ts'
import { amountDefects } from './amounts.ts'
import { attributionDefects } from './attribution.ts'
import { buildRuleDefects } from './buildRules.ts'
import { buildServedDefects } from './buildServed.ts'
import { clientChainDefects } from './clientChain.ts'
import { clientRefusalDefects } from './clientRefusals.ts'
import { clientReportDefects } from './clientReports.ts'
import { clientRequestDefects } from './clientRequests.ts'
import { clientRetryDefects } from './clientRetries.ts'
import { combinedDefects } from './combined.ts'
import { confirmAnswerDefects } from './confirmAnswers.ts'
import { confirmMatchingDefects } from './confirmMatching.ts'
import { raceDefects } from './confirmRaces.ts'
import { confirmRefusalDefects } from './confirmRefusals.ts'
import { confirmWindowDefects } from './confirmWindow.ts'
import { envelopeDefects } from './envelope.ts'
import { errorDefects } from './errors.ts'
import { feeTransferDefects } from './feeTransfer.ts'
import { gasDefects } from './gas.ts'
import { identityDefects } from './identity.ts'
import { inputDefects } from './inputs.ts'
import { marketDefects } from './market.ts'
import { memoDefects } from './memo.ts'
import { outageDefects } from './outages.ts'
import { overlappingDefects } from './overlapping.ts'
import { partnerDefects } from './partners.ts'
import { payeeDefects } from './payees.ts'
import { pricingDefects } from './pricing.ts'
import { quoteAnswerDefects } from './quoteAnswers.ts'
import { quoteServedDefects } from './quoteServed.ts'
import { recordDefects } from './records.ts'
import { routeDefects } from './route.ts'
import { serviceDefects } from './service.ts'
import { settlingDefects } from './settling.ts'
import { simulationDefects } from './simulations.ts'
import { staleDefects } from './stale.ts'
import { tokenInputDefects } from './tokenInputs.ts'
import { txDefects } from './tx.ts'

/** Defects that no case can kill: they need two events in one request or a restart, or show only in random cases. */
const SHOWN_BY: Readonly<Record<string, Defect['shownBy']>> = {
  'confirm-races.no-canonical-check': 'scenarios',
  'property.quotes-are-saved': 'properties',
  'property.output-stays-in-permit2': 'properties',
  'property.direct-venues-pay-nobody': 'properties',
  'property.decimals-up-to-eighteen': 'properties',
  'property.weth-unknown-to-the-singleton': 'properties',
  'property.first-three-answers-count': 'properties',
  'property.small-scales-lose-gas': 'properties',
  'property.strange-symbols-cost-a-point': 'properties',
  'property.memo-shared-by-keys': 'properties',
  'property.errors-with-stack': 'properties',
  'property.empty-errors': 'properties',
  'property.odd-requests-crash': 'properties',
  'property.refused-reports-revoke': 'properties',
}

/** Defects that are killed under a clause other than the one that they break, with the reason why that clause explains them. */
const EXPLAINED_BY: Readonly<Record<string, readonly [clause: RequirementId, because: string]>> = {
  'combined.fee-transfer-lost-after-a-fall.native-in': [
    'tx.value.native',
    'the value of the swap is still that of an amount whose fee is sent apart',
  ],
  'amounts.dust-kept-back': ['route.amount-in', 'what the swap leaves is not sold'],
  'property.listed-as-configured': [
    'alternatives.winner-first',
    'a list in the wrong order has the wrong entry first',
  ],
  'hops.address-between': ['hops.from', 'the address stands at both ends of the gap between two hops'],
  'route.minimum-not-that-of-the-calldata': [
    'route.minimum-received.floor',
    'a number that is not the floor of its own output differs from the calldata too',
  ],
  'build.transaction-missing-for-native': ['tx.data', 'what is missing of the transaction is its calldata'],
  'build.cached': ['attribution.build-id', 'a build that is returned twice returns its id twice'],
  'build.ends-refused.fromDecimals': [
    'build.unknown-token.built',
    'the token of these decimals is not built',
  ],
  'build.ends-refused.toDecimals': ['build.unknown-token.built', 'the token of these decimals is not built'],
}

const ALL: readonly Defect[] = [
  ...serviceDefects,
  ...inputDefects,
  ...tokenInputDefects,
  ...quoteServedDefects,
  ...quoteAnswerDefects,
  ...memoDefects,
  ...marketDefects,
  ...errorDefects,
  ...routeDefects,
  ...alternativeDefects,
  ...gasDefects,
  ...envelopeDefects,
  ...amountDefects,
  ...pricingDefects,
  ...buildServedDefects,
  ...buildRuleDefects,
  ...combinedDefects,
  ...simulationDefects,
  ...settlingDefects,
  ...staleDefects,
  ...outageDefects,
  ...txDefects,
  ...feeTransferDefects,
  ...payeeDefects,
  ...attributionDefects,
  ...confirmAnswerDefects,
  ...confirmRefusalDefects,
  ...confirmMatchingDefects,
  ...identityDefects,
  ...confirmWindowDefects,
  ...raceDefects,
  ...overlappingDefects,
  ...recordDefects,
  ...partnerDefects,
  ...clientRequestDefects,
  ...clientChainDefects,
  ...clientRefusalDefects,
  ...clientReportDefects,
  ...clientRetryDefects,
]

/** Every known-broken service, subject by subject. */
export const DEFECTS: readonly Defect[] = ALL.map((defect) => {
  const shownBy = SHOWN_BY[defect.id]
  const [clause, because] = EXPLAINED_BY[defect.id] ?? []
  return {
    ...defect,
    ...(shownBy && { shownBy }),
    ...(clause && because && { explainedBy: { clause, because } }),
  }
})

const BY_ID: ReadonlyMap<string, Defect> = new Map(DEFECTS.map((defect) => [defect.id, defect]))

/** Returns the defect of an id; null when there is none. */
export function defectOf(id: string): Defect | null {
  return BY_ID.get(id) ?? null
}
