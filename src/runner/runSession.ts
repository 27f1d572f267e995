import type { Lane, TargetSession } from '../targets/session.ts'
import type { Case } from './case.ts'
import type { PlannedCase } from './plan.ts'
import { type CaseResult, runCase } from './suite.ts'

export interface RunOptions {
  readonly replay: (testCase: Case) => string
  /** Ends the run after the first case that fails. */
  readonly bail: boolean
  /** Called before each case: why no more are run; null to go on. */
  readonly stop: () => string | null
  readonly onResult?: (result: CaseResult) => void
}

/**
 * Runs the planned cases against a target, shared out among its lanes, and returns their results in the order of the plan.
 * Never throws for what a target does.
 */
export async function runSession(
  { lanes }: TargetSession,
  planned: readonly PlannedCase[],
  { replay, bail, stop, onResult }: RunOptions,
): Promise<readonly CaseResult[]> {
  const results = new Map<string, CaseResult>()
  const waiting = planned
    .filter(({ notApplicable }) => notApplicable === null)
    .map(({ testCase }) => testCase)
  let over: string | null = null
  const work = async (lane: Lane, index: number): Promise<void> => {
    // Neighbours may share work, as the properties of a family do: lanes that start at opposite ends do not wait for it.
    const next = () => (index % 2 === 0 ? waiting.shift() : waiting.pop())
    for (let testCase = next(); testCase !== undefined; testCase = next()) {
      over ??= stop()
      if (over !== null) return
      const result = await runCase(testCase, {
        enter: () => lane.enter(),
        transcript: () => lane.transcript(),
        replay,
      })
      // What a target answers while its chain is gone says nothing about the target.
      const trouble = ['pass', 'observed'].includes(result.status) ? null : await lane.trouble()
      const judged = trouble === null ? result : withoutChain(result, trouble)
      results.set(judged.id, judged)
      onResult?.(judged)
      if (trouble !== null) over = `skipped: the chain is gone: ${trouble}`
      else if (bail && judged.status === 'fail') over = 'skipped: --bail'
    }
  }
  // With one lane the cases up to the first failure are the same each time.
  await Promise.all(lanes.slice(0, bail ? 1 : lanes.length).map(work))
  return planned.map(({ testCase, notApplicable }) => {
    const result = results.get(testCase.id)
    if (result !== undefined) return result
    return notApplicable === null
      ? notRun(testCase, 'inconclusive', over ?? 'skipped')
      : notRun(testCase, 'not-applicable', notApplicable)
  })
}

function notRun({ id, title, requirements }: Case, status: CaseResult['status'], note: string): CaseResult {
  return { id, title, requirements, status, exercised: 0, notes: [note], judged: [], failure: null }
}

function withoutChain(result: CaseResult, trouble: string): CaseResult {
  const { failure } = result
  return {
    ...result,
    status: 'inconclusive',
    judged: [],
    notes: [`the chain is gone: ${trouble}`],
    failure:
      failure === null
        ? null
        : {
            ...failure,
            blame: 'chain',
            requirement: null,
            expected: null,
            seen: null,
            message: `the chain is gone: ${trouble}`,
          },
  }
}
