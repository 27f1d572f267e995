import type { CheckResult } from '../../src/runner/suite.ts'

/** How one check came out on a mutant. */
export type Put =
  | { readonly end: 'judged'; readonly result: CheckResult }
  /** The service did not start, so that no check can be put. */
  | { readonly end: 'no-start'; readonly why: string }
  | { readonly end: 'time-out' }

/**
 * What the checks so far make of a mutant. Only a check that blames the target kills. `mute`: the mutant keeps checks
 * from being judged and none found it; it would not pass a run, which ends inconclusive, but nothing is held against it. `no-start`: there is no service to judge.
 */
export type Verdict =
  | { readonly kind: 'killed'; readonly by: string; readonly message: string }
  | { readonly kind: 'time-out'; readonly check: string }
  | { readonly kind: 'mute'; readonly why: string }
  | { readonly kind: 'no-start'; readonly why: string }
  | { readonly kind: 'survived' }

/** @returns the verdict that one more check leads to, and whether it is final. */
export function withOneMore(before: Verdict, check: string, put: Put): { verdict: Verdict; final: boolean } {
  if (put.end === 'time-out') return { verdict: { kind: 'time-out', check }, final: true }
  // A start does not depend on the check that comes after it.
  if (put.end === 'no-start') return { verdict: { kind: 'no-start', why: put.why }, final: true }
  const { status, failure } = put.result
  if (status === 'fail') {
    return { verdict: { kind: 'killed', by: check, message: failure?.message ?? '' }, final: true }
  }
  if (status !== 'inconclusive' || before.kind === 'mute') return { verdict: before, final: false }
  return {
    verdict: { kind: 'mute', why: `${check}: ${failure?.message ?? 'nothing exercised'}` },
    final: false,
  }
}
