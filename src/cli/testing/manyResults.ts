import { RESULTS_SCHEMA, type Results } from '../../reporting/results.ts'
import { allRequirements } from '../../spec/requirements/index.ts'

/** A run of so many checks, one in fifty failing: as large as a report is ever asked to be. */
export function manyResults(count: number): Results {
  const requirements = allRequirements()
  const results = Array.from({ length: count }, (_, index): Results['groups'][number]['results'][number] => {
    const requirement = requirements[index % requirements.length]?.id ?? ''
    const id = `many.case-${String(index).padStart(5, '0')}`
    const failed = index % 50 === 7
    return {
      id,
      title: `the promise of ${requirement} is kept in case ${index}`,
      requirements: [requirement],
      status: failed ? 'fail' : 'pass',
      exercised: 1,
      notes: [],
      failure: failed
        ? {
            requirement,
            message: `${requirement}: expected status 400, saw 422`,
            expected: 'status 400',
            seen: 'status 422',
            exchanges: [
              {
                request: { method: 'GET', path: `/api/v1/quote?amount=${index}`, headers: {}, body: null },
                response: { status: 422, headers: {}, body: '{"error":"no executable route"}' },
              },
            ],
            replay: `npx plumbline run --seed 1 --only ${id}`,
          }
        : null,
    }
  })
  return {
    schema: RESULTS_SCHEMA,
    suite: 'run',
    target: 'a large run',
    seed: 1,
    groups: [{ name: 'conformance', results }],
    footer: { results: results.length, complete: true },
  }
}
