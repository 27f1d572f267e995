/** By case, the defects that it kills. */
export type Kills = Readonly<Record<string, readonly string[]>>

/** A case, and a defect that it kills. */
export type Kill = readonly [testCase: string, defect: string]

/** Returns kills by their case, each once, in alphabetical order. */
export function killsBy(kills: Iterable<Kill>): Kills {
  const byCase = new Map<string, Set<string>>()
  for (const [id, defect] of kills) byCase.set(id, (byCase.get(id) ?? new Set()).add(defect))
  const sorted = [...byCase].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([id, defects]) => [id, [...defects].toSorted()]))
}

/** Returns each kill. */
export function eachKill(kills: Kills): readonly Kill[] {
  return Object.entries(kills).flatMap(([id, defects]) => defects.map((defect) => [id, defect] as const))
}

/** Returns the kills of defects that nothing else kills. */
export function singleKills(kills: Kills): readonly Kill[] {
  const killers = new Map<string, number>()
  const all = eachKill(kills)
  for (const [, defect] of all) killers.set(defect, (killers.get(defect) ?? 0) + 1)
  return all.filter(([, defect]) => killers.get(defect) === 1)
}
