import type { CaseFailure, CaseResult } from './runCase.ts'

/** Returns the result of a case whose chain was gone: nothing that was seen says anything about the target. */
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

/** Returns a failure that no longer says which other promises its exchange breaks. */
export function withoutOthers({ others: _, ...failure }: CaseFailure): Omit<CaseFailure, 'others'> {
  return failure
}
