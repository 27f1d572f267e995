import type { Verdict } from '../oracles/index.ts'
import type { EngineId } from '../spec/venues.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { recordVerdicts } from '../targets/evidence.ts'

/**
 * Records verdicts, and stops at the first promise that is broken.
 *
 * @param refusedTwin set for the verdicts of a refusal, which count only once this twin was served.
 * @throws {PromiseBrokenError}
 */
export function demand(verdicts: readonly Verdict[], venue?: EngineId, refusedTwin?: string): void {
  recordVerdicts(verdicts, venue, refusedTwin)
  const failed = verdicts.find((verdict) => verdict.outcome === 'fail')
  if (failed === undefined) return
  const note = failed.note === undefined ? '' : ` (${failed.note})`
  throw new PromiseBrokenError(
    failed.requirement,
    failed.expected ?? 'the clause to hold',
    `${failed.seen}${note}`,
  )
}
