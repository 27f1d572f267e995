import type { PlannedCase } from '../plan/plan.ts'
import type { Case } from './case.ts'
import type { CaseResult } from './runCase.ts'

/** Returns a result for each planned case, in their order. `over` is why a case that applies has none; null: it was given up. */
export function resultsInOrder(
  planned: readonly PlannedCase[],
  results: readonly CaseResult[],
  over: string | null,
): readonly CaseResult[] {
  const byId = new Map(results.map((result) => [result.id, result]))
  return planned.map(({ testCase, notApplicable }) => {
    const result = byId.get(testCase.id)
    if (result !== undefined) return result
    return notApplicable === null
      ? notRun(testCase, 'inconclusive', over ?? 'skipped')
      : notRun(testCase, 'not-applicable', notApplicable)
  })
}

function notRun({ id, title, requirements }: Case, status: CaseResult['status'], note: string): CaseResult {
  return { id, title, requirements, status, exercised: 0, notes: [note], judged: [], failure: null }
}
