import type { Verdict } from '../oracles/index.ts'
import { firstCause } from '../spec/requirements/causes.ts'
import { requirement } from '../spec/requirements/index.ts'
import type { EngineId } from '../spec/venues.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { countsConventions, recordVerdicts } from '../targets/evidence.ts'

/**
 * Records verdicts, and stops at a broken promise: where several are broken, at the one that explains the others. A
 * convention that is not kept stops nothing, unless the run counts conventions; then a broken promise still comes first.
 *
 * @param refusedTwin set for the verdicts of a refusal, which count only once this twin was served.
 * @throws {PromiseBrokenError}
 */
export function demand(verdicts: readonly Verdict[], venue?: EngineId, refusedTwin?: string): void {
  recordVerdicts(verdicts, venue, refusedTwin)
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [broken, departed] = ['must', 'convention'].map((level) =>
    explaining(failed.filter((verdict) => requirement(verdict.requirement).level === level)),
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

/** Of failed verdicts on one answer the one whose clause explains the others. */
function explaining(failed: readonly Verdict[]): Verdict | undefined {
  const [first, ...others] = failed.map((verdict) => verdict.requirement)
  if (first === undefined) return undefined
  const cause = firstCause([first, ...others])
  return failed.find((verdict) => verdict.requirement === cause)
}
