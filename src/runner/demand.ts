import type { Verdict } from '../oracles/index.ts'
import { requirement } from '../spec/requirements/index.ts'
import type { EngineId } from '../spec/venues.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { countsConventions, recordVerdicts } from '../targets/evidence.ts'

/**
 * Records verdicts, and stops at the first promise that is broken. A convention that is not kept stops nothing, unless the
 * run counts conventions; then a broken promise still comes first.
 *
 * @param refusedTwin set for the verdicts of a refusal, which count only once this twin was served.
 * @throws {PromiseBrokenError}
 */
export function demand(verdicts: readonly Verdict[], venue?: EngineId, refusedTwin?: string): void {
  recordVerdicts(verdicts, venue, refusedTwin)
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [broken, departed] = ['must', 'convention'].map((level) =>
    failed.find((verdict) => requirement(verdict.requirement).level === level),
  )
  const first = broken ?? (countsConventions() ? departed : undefined)
  if (first === undefined) return
  const note = first.note === undefined ? '' : ` (${first.note})`
  throw new PromiseBrokenError(
    first.requirement,
    first.expected ?? 'the clause to hold',
    `${first.seen}${note}`,
  )
}
