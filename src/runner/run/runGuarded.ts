import { realTime } from '../../targets/realTime.ts'
import type { TargetSession } from '../../targets/session.ts'
import { interrupted, resultsInOrder } from '../cases/changedResults.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type RunOptions, runCases } from '../cases/runCases.ts'
import type { PlannedCase } from '../plan/plan.ts'
import type { Ending } from '../verdict/verdict.ts'
import { guardEnding } from './guardEnding.ts'

/**
 * Runs cases as `runCases` does.
 *
 * @param onStall called if judging a case does not end, with the results so far. It must not wait for anything, and returns how
 * this process ends.
 */
export async function runGuarded(
  session: TargetSession,
  planned: readonly PlannedCase[],
  options: RunOptions & { readonly endsAtMs: number },
  onStall: (results: readonly CaseResult[]) => Ending,
): Promise<readonly CaseResult[]> {
  const { replay, endsAtMs, onRunning, onResult } = options
  const ended: CaseResult[] = []
  let running: readonly string[] = []
  const release = guardEnding(() => {
    const problem = `Plumbline was interrupted while it judged ${running.join(', ')}, which did not end`
    const cases = planned.flatMap(({ testCase }) => (running.includes(testCase.id) ? [testCase] : []))
    const results = [...ended, ...cases.map((each) => interrupted(each, problem, replay(each)))]
    return onStall(resultsInOrder(planned, results, `skipped: ${problem}`))
  }, endsAtMs - realTime.nowMs())
  try {
    return await runCases(session, planned, {
      ...options,
      onRunning: (ids) => {
        running = ids
        onRunning?.(ids)
      },
      onResult: (result) => {
        ended.push(result)
        onResult?.(result)
      },
    })
  } finally {
    release()
  }
}
