import { resolve } from 'node:path'
import type { Entry } from './journal.ts'

/** What is remembered of the checks, so that the next mutant meets its killer early. */
export interface Memory {
  /** How long each check took on the reference. */
  readonly costMs: Readonly<Record<string, number>>
  /** Kills by file of the mutant and id of the check, with the lines of the mutants. */
  readonly kills: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>
  /** The checks that run a mutant, by its id, where they are few. */
  readonly rare: Readonly<Record<string, readonly string[]>>
}

export const NOTHING_REMEMBERED: Memory = { costMs: {}, kills: {}, rare: {} }

/** Mutants so near to each other, in lines, are mostly killed by the same check. */
const NEAR_LINES = 12
const NEAR_WEIGHT = 100
/** Ids follow the source. A check that reaches what few others reach, next to a mutant, knows the case it is about. */
const NEAR_IDS = 10
const RARE_WEIGHT = 1_000
/** Checks are few enough to be told apart by what they reach. */
const FEW_CHECKS = 40
const IN_FILE_WEIGHT = 10

/**
 * Checks in the order in which they are put to a mutant: first what killed most for what it
 * costs, above all among the neighbours and in the same file, and what reaches where few others do. The order decides how long a verdict takes, never the verdict.
 */
export function inOrder<Named extends { readonly id: string }>(
  checks: readonly Named[],
  memory: Memory,
  place: { readonly file: string; readonly line: number; readonly id: number },
): readonly Named[] {
  const kills = memory.kills[place.file] ?? {}
  const everywhere = new Map<string, number>()
  for (const ofFile of Object.values(memory.kills)) {
    for (const [id, lines] of Object.entries(ofFile)) {
      everywhere.set(id, (everywhere.get(id) ?? 0) + lines.length)
    }
  }
  const rarity = new Map<string, number>()
  for (let id = place.id - NEAR_IDS; id <= place.id + NEAR_IDS; id += 1) {
    const few = memory.rare[id] ?? []
    for (const check of few) rarity.set(check, Math.max(rarity.get(check) ?? 0, 1 / few.length))
  }
  const worthOf = ({ id }: Named) => {
    const lines = kills[id] ?? []
    const near = lines.filter((line) => Math.abs(line - place.line) <= NEAR_LINES).length
    const known = near * NEAR_WEIGHT + lines.length * IN_FILE_WEIGHT + (everywhere.get(id) ?? 0)
    const weight = 1 + known + (rarity.get(id) ?? 0) * RARE_WEIGHT
    return weight / (memory.costMs[id] ?? 1)
  }
  const worth = new Map(checks.map((check) => [check.id, worthOf(check)]))
  return checks.toSorted((a, b) => (worth.get(b.id) ?? 0) - (worth.get(a.id) ?? 0))
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

/** What earlier runs killed with, as it is remembered. */
export function memoryOf(journal: Iterable<Entry>): Memory {
  let memory = NOTHING_REMEMBERED
  for (const { file, location, status, reason } of journal) {
    const [check = ''] = reason.split(' ')
    if (status === 'Killed')
      memory = remembering(memory, check, { file: resolve(file), line: location.start.line })
  }
  return memory
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

/** By id of the mutant, the checks that run it where they are few. */
export function rarelyRun(
  perCheck: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Memory['rare'] {
  const checksOf = new Map<string, string[]>()
  for (const [check, hits] of Object.entries(perCheck)) {
    for (const mutant of Object.keys(hits)) {
      const known = checksOf.get(mutant)
      if (known === undefined) checksOf.set(mutant, [check])
      else known.push(check)
    }
  }
  return Object.fromEntries([...checksOf].filter(([, checks]) => checks.length <= FEW_CHECKS))
}
