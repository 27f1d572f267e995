import type { CaseResult } from '../results.ts'

/**
 * Returns the coverage of the cases that enumerate combinations, such as `508 of 508 transitions of a report`. Whatever a case
 * did not reach, because it ended early or was left out, is missing.
 */
export function meetsOf(cases: readonly Pick<CaseResult, 'meets'>[]): readonly string[] {
  const met = new Map<string, { count: number; of: number }>()
  for (const { what, count, of } of cases.flatMap(({ meets = [] }) => meets))
    met.set(what, { count: count + (met.get(what)?.count ?? 0), of })
  const inEnglish = (count: number) => count.toLocaleString('en')
  return [...met].map(([what, { count, of }]) => `${inEnglish(count)} of ${inEnglish(of)} ${what}`)
}
