import { groupBy } from '../../reporting/groupBy.ts'
import type { Lane, Runner } from '../../targets/session.ts'
import type { Case } from './case.ts'
import type { CaseResult } from './runCase.ts'

/** Returns whether a case ended as it would for a correct target. */
export const isWell = ({ status }: Pick<CaseResult, 'status'>): boolean =>
  ['pass', 'observed'].includes(status)

/** Groups cases into the units that a lane runs: cases that wait under the same fault are one unit, where the lane allows it. */
export function unitsOf(
  cases: readonly Case[],
  { together }: Pick<Lane, 'together'>,
): readonly (readonly Case[])[] {
  const keyOf = ({ id, waitsUnder }: Case) => (together === undefined ? id : (waitsUnder ?? id))
  return [...groupBy(cases, keyOf).values()]
}

/**
 * Runs the cases of a unit concurrently. A target need not be quick under concurrent requests, so a case that does not end well
 * among others is run again alone, and only that result counts.
 */
export async function runUnit(
  lane: Lane,
  unit: readonly Case[],
  run: (runner: Runner, testCase: Case) => Promise<CaseResult>,
): Promise<readonly CaseResult[]> {
  const places = unit.length === 1 ? undefined : lane.together?.(unit.length)
  const results: CaseResult[] = []
  if (places === undefined) {
    for (const each of unit) results.push(await run(lane, each))
    return results
  }
  const among = await Promise.all(
    places.map(async (place, index) => {
      const testCase = unit[index] as Case
      const result = await run(place, testCase)
      place.leave()
      return { testCase, result }
    }),
  )
  for (const { testCase, result } of among) results.push(isWell(result) ? result : await run(lane, testCase))
  return results
}
