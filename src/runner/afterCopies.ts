import type { CaseResult } from './runCase.ts'
import { withoutOthers } from './withoutChain.ts'

const PROBLEM = 'it failed while other copies of the service ran, and not when it was run again alone'
const ADVICE =
  'Run it with --instances 1: if it fails there as well, now and then, the service is not steady.'

/**
 * What a case comes to that did not end well while other copies of its service ran, and was run again once they were done.
 * A failure that does not come again is no pass: either the copies share something, or the service fails now and then. What
 * could not be judged again stays the failure that it was.
 */
export function afterCopies(first: CaseResult, again: CaseResult): CaseResult {
  const { failure } = first
  if (first.status !== 'fail' || failure === null || again.status === 'fail') return again
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
