import type { CaseResult } from '../../reporting/results.ts'
import { exampleCase, exampleResults } from '../../reporting/testing/exampleResults.ts'
import type { RanCases } from '../caseOutcome.ts'

/** Every seed that this divides breaks the same property, with a different amount. */
const BROKEN_EVERY = 5

/**
 * Returns made-up results of the cases of a seed, without a service. For some seeds, a property and a conformance case fail.
 *
 * @param machine part of everything machine-specific: durations, files, replay lines.
 */
export function madeUpCases(seed: number, machine = 'here'): RanCases {
  const isBroken = seed % BROKEN_EVERY === 0
  const failure = (requirement: string, counterexample?: unknown): CaseResult['failure'] => ({
    ...{ blame: 'target', requirement, message: 'broken', expected: '202', actual: `${seed} instead` },
    exchanges: [
      {
        request: { method: 'GET', path: '/api/v1/quote', headers: {}, body: null },
        response: { status: 200, headers: {}, body: '{}' },
      },
    ],
    replay: `${machine}/plumbline`,
    ...(counterexample === undefined ? {} : { counterexample: counterexample as never }),
  })
  const cases = [
    exampleCase('quote.delta', {
      durationMs: machine.length,
      ...(isBroken
        ? {
            ...{ status: 'fail', exercised: 0 },
            notes: [`a kept failure: ${machine}/1.json`, 'seed: the first'],
            failure: failure('alternatives.delta', { amount: seed }),
          }
        : { exercised: 3, notes: ['cases: 4', `amount: ${seed % 2 === 0 ? 'even' : 'odd'}: 4`] }),
    }),
    exampleCase('confirm.depth', {
      durationMs: machine.length,
      ...(isBroken
        ? { status: 'fail', exercised: 0, failure: failure('confirm.depth') }
        : { notes: ['cases: 1'] }),
    }),
    exampleCase('quote.none', {
      ...{ status: 'inconclusive', exercised: 0 },
      ...(seed % 3 === 0
        ? {
            failure: {
              ...(failure('quote.answers') as NonNullable<CaseResult['failure']>),
              ...{ blame: 'harness', requirement: null },
              actual: `no case ${seed}\n    at ${machine}/cases.ts:1`,
            },
          }
        : {}),
    }),
    exampleCase('build.skipped', { status: 'not-applicable', exercised: 0 }),
  ]
  const results = exampleResults(cases, { suites: [{ name: 'properties', cases }] })
  return { results, answers: { 'quote.delta': `answers of ${seed}` } }
}
