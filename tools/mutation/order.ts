/** What is remembered of the checks, so that the next mutant meets its killer early. */
export interface Memory {
  /** How long each check took on the reference. */
  readonly costMs: Readonly<Record<string, number>>
  /** Kills by file of the mutant and id of the check, with the lines of the mutants. */
  readonly kills: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
}

export const NOTHING_REMEMBERED: Memory = { costMs: {}, kills: {} }

/** Mutants so near to each other, in lines, are mostly killed by the same check. */
const NEAR_LINES = 12

/**
 * Checks in the order in which they are put to a mutant: what killed its neighbours, what killed others of its file, what
 * kills much for what it costs. The order decides how long a verdict takes, never the verdict.
 */
export function inOrder<Named extends { readonly id: string }>(
  checks: readonly Named[],
  memory: Memory,
  place: { readonly file: string; readonly line: number },
): readonly Named[] {
  const kills = memory.kills[place.file] ?? {}
  const everywhere = new Map<string, number>()
  for (const ofFile of Object.values(memory.kills)) {
    for (const [id, lines] of Object.entries(ofFile)) {
      everywhere.set(id, (everywhere.get(id) ?? 0) + lines.length)
    }
  }
  const rankOf = ({ id }: Named) => {
    const lines = kills[id] ?? []
    const near = lines.filter((line) => Math.abs(line - place.line) <= NEAR_LINES).length
    const worth = (1 + (everywhere.get(id) ?? 0)) / (memory.costMs[id] ?? 1)
    return { near, inFile: lines.length, worth }
  }
  return checks
    .map((check) => ({ check, rank: rankOf(check) }))
    .toSorted(
      (a, b) => b.rank.near - a.rank.near || b.rank.inFile - a.rank.inFile || b.rank.worth - a.rank.worth,
    )
    .map(({ check }) => check)
}

/** The memory with one kill more. */
export function remembering(
  memory: Memory,
  check: string,
  { file, line }: { readonly file: string; readonly line: number },
): Memory {
  const ofFile = memory.kills[file] ?? {}
  const kills = { ...memory.kills, [file]: { ...ofFile, [check]: [...(ofFile[check] ?? []), line] } }
  return { ...memory, kills }
}

/**
 * The first of `checks`, as many as cost no more than this share of all checks there are; at least one.
 *
 * @param share 1: all of them.
 */
export function withinShare<Named extends { readonly id: string }>(
  checks: readonly Named[],
  { costMs }: Memory,
  share: number,
): readonly Named[] {
  const all = Object.values(costMs).reduce((sum, cost) => sum + cost, 0)
  let leftMs = share < 1 ? all * share : Number.POSITIVE_INFINITY
  return checks.filter(({ id }, index) => {
    const affordable = leftMs > 0
    leftMs -= costMs[id] ?? 0
    return affordable || index === 0
  })
}
