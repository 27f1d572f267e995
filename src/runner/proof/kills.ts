import { countEach, groupBy } from '../../reporting/groupBy.ts'

/** By case, the defects that it kills. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** A case, and a defect that it kills. */
export type Kill = readonly [testCase: string, defect: string]

/** Returns kills by case, each once, in alphabetical order. */
export function killsBy(kills: Iterable<Kill>): Kills {
  const sorted = [...groupBy(kills, ([id]) => id)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    sorted.map(([id, own]) => [id, [...new Set(own.map(([, defect]) => defect))].toSorted()]),
  )
}

export function eachKill(kills: Kills): readonly Kill[] {
  return Object.entries(kills).flatMap(([id, defects]) => defects.map((defect) => [id, defect] as const))
}

/** Returns the kills of defects that only one case kills. */
export function singleKills(kills: Kills): readonly Kill[] {
  const all = eachKill(kills)
  const killers = countEach(all.map(([, defect]) => defect))
  return all.filter(([, defect]) => killers.get(defect) === 1)
}
