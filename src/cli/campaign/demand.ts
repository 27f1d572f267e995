import { EVIDENCE, EXERCISED } from '../../campaign/caseOutcome.ts'
import type { DemandOf } from '../../campaign/read.ts'
import { floorsFor, floorsForRuns } from '../suites/historySuite.ts'

/**
 * Returns the floors for all seeds of a campaign together. Random scripts must meet every state. Each case must reach the service
 * once, and each requirement must get enough evidence under every seed. Whole runs of the properties must meet each class of
 * cases as often as a single run must: rare classes vary by seed. After a failing seed, whose cases end early, nothing is demanded.
 */
export const demandOf: DemandOf = ({ plan, count, labels, hasFailed }) => {
  if (plan.suite === 'simulate') return floorsForRuns(count)
  if (hasFailed) return {}
  const named = [...labels.keys()]
  const cases = named.filter((label) => label.startsWith(EXERCISED))
  const requirements = named.flatMap((label) =>
    Object.values(EVIDENCE).flatMap((kind) => (label.startsWith(kind) ? [label.slice(kind.length)] : [])),
  )
  const isWhole = plan.only === undefined && plan.target === undefined
  const classes = plan.suite === 'property' && isWhole ? Object.entries(floorsFor('quick', null)) : []
  return {
    ...Object.fromEntries(cases.map((label) => [label, 1])),
    ...Object.fromEntries(
      [...new Set(requirements)].map((id) => [
        `${EVIDENCE.enough}${id}`,
        (labels.get(`${EVIDENCE.enough}${id}`) ?? 0) + (labels.get(`${EVIDENCE.missing}${id}`) ?? 0),
      ]),
    ),
    ...Object.fromEntries(classes),
  }
}
