import type { Verdict } from '../oracles/index.ts'
import type { EngineId } from '../spec/venues.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { recordVerdicts } from '../targets/evidence.ts'

/**
 * Records verdicts, and stops at the first promise that is broken.
 *
 * @throws {PromiseBrokenError}
 */
export function demand(verdicts: readonly Verdict[], venue?: EngineId): void {
  recordVerdicts(verdicts, venue)
  const failed = verdicts.find((verdict) => verdict.outcome === 'fail')
  if (failed === undefined) return
  const note = failed.note === undefined ? '' : ` (${failed.note})`
  throw new PromiseBrokenError(
    failed.requirement,
    failed.expected ?? 'the clause to hold',
    `${failed.seen}${note}`,
  )
}
