import type { BaselineEntry } from '../baselineFormat.ts'
import { type CaseFailure, type CaseResult, RESULTS_SCHEMA, type Results } from '../results.ts'

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

/** Returns a violation of a requirement by the target; null: nothing could be judged. */
export function exampleFailure(requirement: string | null, more: Partial<CaseFailure> = {}): CaseFailure {
  return {
    ...{ blame: 'target', requirement, message: 'broken', expected: 'this', actual: 'that' },
    ...{ exchanges: [], replay: 'npx plumbline conform', ...more },
  }
}

/** Returns an entry of a baseline for a case. */
export function exampleEntry(id: string, more: Partial<BaselineEntry> = {}): BaselineEntry {
  return {
    ...{ case: id, requirement: 'tx.data', fingerprint: '0123456789abcdef', reason: 'known' },
    ...{ link: 'https://example.com/1', expires: '2099-01-01', ...more },
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
