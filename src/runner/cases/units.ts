import type { Lane, Runner } from '../../targets/session.ts'
import type { Case } from './case.ts'
import type { CaseResult } from './runCase.ts'

/** Returns whether a case ended as it would for a target without mistakes. */
export const isWell = ({ status }: Pick<CaseResult, 'status'>): boolean =>
  ['pass', 'observed'].includes(status)

/** Returns the case that comes first, and those that wait with it: they are taken out of `queue`. Empty: no case is left. */
export function takeUnit(
  queue: Case[],
  first: Case | undefined,
  { together }: Pick<Lane, 'together'>,
): readonly Case[] {
  const fault = first?.waitsUnder
  if (first === undefined) return []
  if (fault === undefined || together === undefined) return [first]
  const others = queue.filter(({ waitsUnder }) => waitsUnder === fault)
  for (const each of others) queue.splice(queue.indexOf(each), 1)
  return [first, ...others]
}

/**
 * Runs the cases of a unit at the same time. A target need not be quick with several requests at once, so a case that does
 * not end well among others is run again alone, and only that counts.
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
