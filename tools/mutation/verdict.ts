import type { CaseResult } from '../../src/runner/runCase.ts'

/** The outcome of one case against a mutant. */
export type Outcome =
  | { readonly end: 'judged'; readonly result: Pick<CaseResult, 'status' | 'failure'> }
  | { readonly end: 'no-start'; readonly why: string }
  | { readonly end: 'time-out' }

/**
 * The verdict of the cases so far. Only a case that blames the target kills. `inconclusive`: no case fails, but at least
 * one could not be judged. `no-start`: there is no service to judge.
 */
export type Verdict =
  | { readonly kind: 'killed'; readonly by: string; readonly message: string }
  | { readonly kind: 'time-out'; readonly by: string }
  | { readonly kind: 'inconclusive'; readonly why: string }
  | { readonly kind: 'no-start'; readonly why: string }
  | { readonly kind: 'survived' }

/** @returns the verdict after one more case, and whether further cases could change it. */
export function nextVerdict(
  before: Verdict,
  id: string,
  outcome: Outcome,
): { readonly verdict: Verdict; readonly final: boolean } {
  if (outcome.end === 'time-out') return { verdict: { kind: 'time-out', by: id }, final: true }
  if (outcome.end === 'no-start') return { verdict: { kind: 'no-start', why: outcome.why }, final: true }
  const { status, failure } = outcome.result
  if (status === 'fail')
    return { verdict: { kind: 'killed', by: id, message: failure?.message ?? '' }, final: true }
  if (status !== 'inconclusive' || before.kind === 'inconclusive') return { verdict: before, final: false }
  const why = `${id}: ${failure?.message ?? 'nothing was exercised'}`
  return { verdict: { kind: 'inconclusive', why }, final: false }
}
