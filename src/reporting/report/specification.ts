import { createHash } from 'node:crypto'
import { allRequirements } from '../../spec/requirements/index.ts'
import type { Specification } from './about.ts'

/** The version in every path (§9). */
const VERSION = 'v1'

/**
 * Returns the specification that this program checks. The digest covers the id, section, level, clause and statement of every
 * requirement, so two reports with equal digests judged by the same text.
 */
export function specificationChecked(): Specification {
  const requirements = allRequirements()
  const text = requirements.map(({ id, section, level, clause, statement }) =>
    JSON.stringify([id, section, level, clause, statement]),
  )
  return {
    version: VERSION,
    requirements: requirements.length,
    sha256: createHash('sha256').update(text.join('\n'), 'utf8').digest('hex'),
  }
}
