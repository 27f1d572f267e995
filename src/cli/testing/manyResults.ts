import type { CaseResult, Results } from '../../reporting/results.ts'
import { exampleCase } from '../../reporting/testing/exampleResults.ts'
import { resultOf } from '../../runner/verdict/result.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { EVERY_CAPABILITY } from '../../targets/scope.ts'

const NOTHING_JUDGED = { failed: 0, observed: 0, venues: [], boundaryClasses: [], observations: [] }

/** Returns a run of this many cases, of which one in fifty fails. */
export function manyResults(count: number): Results {
  const requirements = allRequirements()
  const cases = Array.from({ length: count }, (_, index): CaseResult => {
    const requirement = requirements[index % requirements.length]?.id ?? 'tx.data'
    const id = `many.case-${String(index).padStart(5, '0')}`
    const common = { requirements: [requirement], title: `${requirement} is kept in case ${index}` }
    if (index % 50 !== 7)
      return exampleCase(id, { ...common, judged: [{ ...NOTHING_JUDGED, requirement, passed: 1 }] })
    const request = { method: 'GET', path: `/api/v1/quote?amount=${index}`, headers: {}, body: null }
    const response = { status: 422, headers: {}, body: '{"error":"no executable route"}' }
    return exampleCase(id, {
      ...{ ...common, status: 'fail' },
      failure: {
        ...{ blame: 'target', requirement, message: `${requirement}: expected status 400, actual 422` },
        ...{ expected: 'status 400', actual: 'status 422', exchanges: [{ request, response }] },
        replay: `npx plumbline run --seed 1 --only ${id}`,
      },
    })
  })
  return resultOf({
    ...{ command: 'run', target: 'a large run', seed: 1, profile: 'sandbox' },
    capabilities: EVERY_CAPABILITY,
    suites: [{ name: 'conformance', cases }],
    whole: false,
  })
}
