import type { PlannedCase } from '../plan/plan.ts'
import type { Case } from './case.ts'
import type { CaseFailure, CaseResult } from './runCase.ts'

/** Returns a result for each planned case, in plan order. `over` is the reason that applicable cases have none; null: unknown. */
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

/** Returns the result of a case that was not run. @param note the reason. */
export function notRun(
  { id, title, requirements }: Case,
  status: CaseResult['status'],
  note: string,
): CaseResult {
  return { id, title, requirements, status, exercised: 0, notes: [note], judged: [], failure: null }
}

/** Adds the command line that runs the case again, which other processes do not know. */
export function withReplay(result: CaseResult, replay: (testCase: Pick<Case, 'id'>) => string): CaseResult {
  const { failure } = result
  return failure === null ? result : { ...result, failure: { ...failure, replay: replay(result) } }
}

/** Returns the result of a case during which Plumbline itself failed. */
export function interrupted(testCase: Case, problem: string, replay: string): CaseResult {
  const failure: CaseFailure = {
    ...{ blame: 'harness', requirement: null, expected: 'a case that Plumbline can judge', actual: problem },
    ...{ message: `${problem}\nThis is a bug in Plumbline. Please report it.`, exchanges: [], replay },
  }
  return { ...notRun(testCase, 'inconclusive', problem), failure }
}

/** Returns the result of a case whose chain was gone: its observations say nothing about the target. */
export function withoutChain(result: CaseResult, problem: string): CaseResult {
  const { failure, attached: _, ...rest } = result
  return {
    ...rest,
    status: 'inconclusive',
    judged: [],
    notes: [`the chain is gone: ${problem}`],
    failure:
      failure === null
        ? null
        : {
            ...withoutOthers(failure),
            blame: 'chain',
            requirement: null,
            expected: 'a chain that answers',
            actual: `the chain is gone: ${problem}`,
            message: `the chain is gone: ${problem}`,
          },
  }
}

/** Returns the failure without the other promises that its exchange breaks. */
function withoutOthers({ others: _, ...failure }: CaseFailure): Omit<CaseFailure, 'others'> {
  return failure
}

const PROBLEM = 'it failed while other copies of the service ran, and not when it was run again alone'
const ADVICE = 'Run it with --instances 1: if it fails there now and then as well, the service is unreliable.'

/** Returns whether a case failed, and did not fail when it ran again. */
export function doesNotRecur(first: CaseResult, again: CaseResult): boolean {
  return first.status === 'fail' && again.status !== 'fail'
}

/**
 * Returns the final result of a case that did not end well while other copies of its service ran, and was run again once they
 * were done. A failure that does not recur is not a pass: either the copies share something, or the service fails
 * intermittently. If the second run cannot be judged, the first failure counts.
 */
export function afterCopies(first: CaseResult, again: CaseResult): CaseResult {
  const { failure } = first
  if (failure === null || !doesNotRecur(first, again)) return again
  if (again.status === 'inconclusive') return first
  return {
    ...again,
    status: 'inconclusive',
    exercised: 0,
    judged: [],
    notes: [`${PROBLEM}. ${ADVICE}`],
    failure: {
      ...withoutOthers(failure),
      blame: 'harness',
      requirement: null,
      expected: 'the same end alone and while other copies of the service run',
      message: `${PROBLEM}: ${failure.message}`,
    },
  }
}
