/**
 * The conformance suite as Vitest tests.
 *
 * @example
 * ```ts
 * import { describeConformance } from 'plumbline-conformance/vitest'
 * import { listen } from '../src/service.ts'
 *
 * describeConformance({
 *   serve: async ({ manifest, keys }) => {
 *     const server = await listen({ manifest, keys })
 *     return { url: server.url, close: () => server.close() }
 *   },
 * })
 * ```
 */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { nameOf, type Target } from '../targets/open.ts'
import { type ConformanceOptions, type SuiteRun, suiteOf } from './suite.ts'

export type { TargetDescription, TargetKeys } from '../targets/description.ts'
export { ConformanceOptionsError, type Target } from '../targets/open.ts'
export type { ClientFunction, ClientInput } from '../targets/starting/outsideClient.ts'
export type { Served, ServiceContext } from '../targets/starting/served.ts'
export type { ConformanceOptions } from './suite.ts'

/** Limit for one case, and for the start of the target; a case about the memo or a budget waits for minutes. */
const CASE_TIMEOUT_MS = 300_000

/** Thrown if a case did not pass. The message holds the clause, the expected and actual values, and the exchange. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  constructor(problem: string) {
    super(problem)
    // The stack says nothing about the service; the message does.
    this.stack = `${this.name}: ${problem}`
  }
}

/**
 * Declares one Vitest test for each case of the suite (of the suite for clients if the target is a client), named by the
 * requirement that it judges: `confirm.records: …`. A failed case shows the clause, the expected and actual values, and the
 * exchange, as a `curl` line if the service outlives the tests. A case that the target cannot run is skipped with the reason; an
 * inconclusive case fails. A last test fails if too little was judged: a run that exercised nothing is not a pass.
 *
 * The target is started once, before the first case, and ended after the last. Cases run one after another, in the order of the
 * suite. Call it where `describe` may be called.
 *
 * @throws {ConformanceOptionsError} the options contradict each other.
 * @throws {UsageError} a pattern of `only` selects nothing.
 */
export function describeConformance(target: Target, options: ConformanceOptions = {}): void {
  const suite = suiteOf(target, options)
  describe(`conformance of ${nameOf(target)}`, { concurrent: false, shuffle: false }, () => {
    let run: SuiteRun
    beforeAll(async () => {
      run = await suite.open()
    }, CASE_TIMEOUT_MS)
    afterAll(() => run?.end(), CASE_TIMEOUT_MS)
    for (const planned of suite.planned) {
      const { id, title, requirements } = planned.testCase
      test(`${requirements[0]}: ${title} (${id})`, { timeout: CASE_TIMEOUT_MS }, async ({ skip }) => {
        const problem = await run.run(planned)
        if (problem !== null) throw new ConformanceError(problem)
        if (planned.notApplicable !== null) skip(planned.notApplicable)
      })
    }
    test('enough evidence was collected', () => {
      const gaps = run.gaps()
      if (gaps !== null) throw new ConformanceError(gaps)
    })
  })
}
