import { EVIDENCE, EXERCISED } from '../../campaign/caseOutcome.ts'
import type { DemandOf } from '../../campaign/read.ts'
import { floorsFor, floorsForRuns } from '../suites/historySuite.ts'

/**
 * What the seeds of a campaign must have met together: random scripts every state; cases the service once each, and of each
 * requirement enough evidence under every seed; whole runs of the properties the classes of their cases, as often as a
 * single run must: one seed meets a rare class more often than another. Where a seed fails, its cases end early, and nothing is demanded.
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
