import { type CaseResult, RESULTS_SCHEMA, type Results } from '../results.ts'

export function exampleCase(id: string, more: Partial<CaseResult> = {}): CaseResult {
  return {
    id,
    title: `about ${id}`,
    requirements: ['tx.data'],
    status: 'pass',
    exercised: 1,
    notes: [],
    judged: [],
    failure: null,
    ...more,
  }
}

/** Returns the result of a run of these cases; nothing is tallied. */
export function exampleResults(cases: readonly CaseResult[], more: Partial<Results> = {}): Results {
  return {
    schema: RESULTS_SCHEMA,
    command: 'run',
    target: 'reference',
    seed: 1,
    profile: 'sandbox',
    capabilities: [],
    suites: [{ name: 'conformance', cases: [...cases] }],
    requirements: [],
    floors: [],
    baseline: null,
    verdict: 'conforms',
    footer: { cases: cases.length, complete: true },
    ...more,
  }
}
