import type { RequirementVerdict } from '../../reporting/results.ts'
import { PromiseBrokenError } from '../../targets/blame.ts'
import type { Environment } from '../../targets/environment/environment.ts'
import type { Case } from '../cases/case.ts'
import type { PlannedCase } from '../plan/plan.ts'

/** Returns a case that uses nothing of its environment and passes, unless `more` says otherwise. */
export function testCase(id: string, more: Partial<Case> = {}): Case {
  return {
    id,
    title: `about ${id}`,
    requirements: ['tx.data'],
    uses: [],
    run: async () => ({ exercised: 1 }),
    ...more,
  }
}

/** Returns a case that calls a function with its id and its environment, and then passes. */
export const doing = (
  id: string,
  act: (id: string, environment: Environment) => unknown,
  more: Partial<Case> = {},
): Case =>
  testCase(id, {
    run: async (environment) => {
      await act(id, environment)
      return { exercised: 1 }
    },
    ...more,
  })

/** Breaks a promise, as a case does by an assertion. */
export function breakPromise(actual = 'that'): never {
  throw new PromiseBrokenError('tx.data', 'this', actual)
}

export const planOf = (...cases: readonly Case[]): readonly PlannedCase[] =>
  cases.map((each) => ({ testCase: each, notApplicable: null }))

/** Returns the verdict on a requirement that was judged too seldom, unless `more` says otherwise. */
export const exampleVerdict = (
  status: RequirementVerdict['status'],
  more: Partial<RequirementVerdict> = {},
): RequirementVerdict => ({
  ...{ id: 'tx.data', section: '2.3', level: 'must', status, exercised: 0, floor: 1 },
  ...{ venues: [], boundaryClasses: [], observations: [], stoppedBy: null },
  reason: status === 'inconclusive' ? 'exercised 0 of 1 times' : null,
  ...more,
})
