import type { Entry } from './journal.ts'

/** What is known of the cases, so that the next mutant meets its killer early. */
export interface Memory {
  /** How long each case took on the reference. */
  readonly costMs: Readonly<Record<string, number>>
  /** Kills by file of the mutant and id of the case, with the lines of the mutants. */
  readonly kills: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
  /** The cases that reach a mutant, by the mutant's id, where they are few. */
  readonly rare: Readonly<Record<string, readonly string[]>>
}

/** The same case mostly kills mutants this near to each other, in lines. */
const NEAR_LINES = 12
/** Stryker numbers mutants in source order. A case that reaches what few others reach, next to a mutant, tests it. */
const NEAR_IDS = 10
const FEW_CASES = 40
const WEIGHTS = { near: 100, inFile: 10, anywhere: 1, rare: 1_000 }

/** Sorts cases by the chance to kill for their cost. The order decides how long a verdict takes, never the verdict. */
export function inOrder<Named extends { readonly id: string }>(
  cases: readonly Named[],
  memory: Memory,
  mutant: { readonly file: string; readonly line: number; readonly id: number },
): readonly Named[] {
  const anywhere = new Map<string, number>()
  for (const [id, lines] of Object.values(memory.kills).flatMap(Object.entries<readonly number[]>))
    anywhere.set(id, (anywhere.get(id) ?? 0) + lines.length)
  const rarity = new Map<string, number>()
  for (let id = mutant.id - NEAR_IDS; id <= mutant.id + NEAR_IDS; id += 1) {
    const few = memory.rare[id] ?? []
    for (const each of few) rarity.set(each, Math.max(rarity.get(each) ?? 0, 1 / few.length))
  }
  const worthOf = ({ id }: Named): number => {
    const lines = memory.kills[mutant.file]?.[id] ?? []
    const near = lines.filter((line) => Math.abs(line - mutant.line) <= NEAR_LINES)
    const weight =
      1 +
      near.length * WEIGHTS.near +
      lines.length * WEIGHTS.inFile +
      (anywhere.get(id) ?? 0) * WEIGHTS.anywhere +
      (rarity.get(id) ?? 0) * WEIGHTS.rare
    return weight / (memory.costMs[id] ?? 1)
  }
  const worth = new Map(cases.map((each) => [each.id, worthOf(each)]))
  return cases.toSorted((a, b) => (worth.get(b.id) ?? 0) - (worth.get(a.id) ?? 0))
}

/** The memory with one more kill. */
export function withKill(
  memory: Memory,
  id: string,
  { file, line }: { readonly file: string; readonly line: number },
): Memory {
  const ofFile = memory.kills[file] ?? {}
  return {
    ...memory,
    kills: { ...memory.kills, [file]: { ...ofFile, [id]: [...(ofFile[id] ?? []), line] } },
  }
}

/** What the kills of earlier runs teach. */
export function memoryOf(journal: Iterable<Entry>): Memory {
  let memory: Memory = { costMs: {}, kills: {}, rare: {} }
  for (const { file, line, status, reason } of journal)
    if (status === 'Killed') memory = withKill(memory, reason.split(' ')[0] ?? '', { file, line })
  return memory
}

/** By id of the mutant, the cases that reach it where they are few. */
export function rarelyReached(
  hitsByCase: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Memory['rare'] {
  const casesOf = new Map<string, string[]>()
  for (const [id, hits] of Object.entries(hitsByCase))
    for (const mutant of Object.keys(hits)) casesOf.set(mutant, [...(casesOf.get(mutant) ?? []), id])
  return Object.fromEntries([...casesOf].filter(([, ids]) => ids.length <= FEW_CASES))
}
