import type { Verdict } from '../../oracles/index.ts'
import { accountsFor, firstCause } from '../../spec/requirements/causes.ts'
import { requirement } from '../../spec/requirements/index.ts'
import type { EngineId } from '../../spec/venues.ts'
import { type BrokenPromise, PromiseBrokenError } from '../../targets/blame.ts'
import { countsConventions, namedExchange, recordVerdicts } from '../../targets/evidence/evidence.ts'

/**
 * Records verdicts, and throws if a promise is broken: names the one that explains the others, and lists those that it does not
 * explain. A broken convention throws only if the run counts conventions; a broken promise still comes first.
 *
 * @param refusedControl set for the verdicts of a refusal, which count only once this control was served.
 * @param notes further facts for the reader of the failure.
 * @throws {PromiseBrokenError}
 */
export function assertVerdicts(
  verdicts: readonly Verdict[],
  venue?: EngineId,
  refusedControl?: string,
  notes: readonly string[] = [],
): void {
  recordVerdicts(verdicts, venue, refusedControl)
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  const [broken = [], departed = []] = ['must', 'convention'].map((level) =>
    failed.filter((verdict) => requirement(verdict.requirement).level === level),
  )
  const counted = countsConventions() ? [...broken, ...departed] : broken
  const [one, ...more] = broken.length > 0 ? broken : counted
  if (one === undefined) return
  const first = firstCause([one, ...more])
  const { requirement: id, expected, actual } = promiseOf(first)
  throw new PromiseBrokenError(id, expected, actual, {
    notes,
    exchange: namedExchange(),
    others: independentOf(first, counted).map(promiseOf),
  })
}

/** Returns the failed verdicts that no other one explains, each clause once: fixing the first would not fix them. */
function independentOf(first: Verdict, failed: readonly Verdict[]): readonly Verdict[] {
  const isExplained = (verdict: Verdict) =>
    verdict.follows !== undefined || failed.some((cause) => accountsFor(cause, verdict))
  const found = new Map<string, Verdict>()
  for (const verdict of failed)
    if (verdict.requirement !== first.requirement && !isExplained(verdict) && !found.has(verdict.requirement))
      found.set(verdict.requirement, verdict)
  return [...found.values()]
}

function promiseOf({ requirement: id, expected, actual, note }: Verdict): BrokenPromise {
  return {
    requirement: id,
    expected: expected ?? 'the clause to hold',
    actual: note === undefined ? `${actual}` : `${actual} (${note})`,
  }
}
