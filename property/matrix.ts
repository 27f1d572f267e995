import { RACE_DEFECTS } from '../conformance/defects/confirmRaces/index.ts'
import type { Defect } from '../conformance/defects/defect.ts'
import { DEFECTS } from '../conformance/defects/index.ts'
import { runFamily } from '../src/runner/propertyRun.ts'
import { CATCHES } from './catches.ts'
import { buildingDefects } from './defects/building.ts'
import { quotingDefects } from './defects/quoting.ts'
import { Lab } from './lab.ts'
import { FAMILIES } from './suite.ts'

/** Every broken service that a property can be held against. */
export const DEFECTS_BY_ID: ReadonlyMap<string, Defect> = new Map(
  [...DEFECTS, ...RACE_DEFECTS, ...quotingDefects, ...buildingDefects].map((defect) => [defect.id, defect]),
)

/** Which property catches which broken service. */
export interface Matrix {
  readonly defects: readonly Pick<Defect, 'id' | 'title'>[]
  readonly properties: readonly {
    readonly id: string
    /** Defects that the property was held against, and of these the ones that it found. */
    readonly tried: readonly string[]
    readonly kills: readonly string[]
  }[]
}

export interface MatrixOptions {
  readonly seed: number
  readonly only: ReadonlySet<string> | null
  readonly onDefect?: (id: string) => void
}

/**
 * Holds every property against the broken services that `CATCHES` names for its family: each defect once for a family,
 * with the quick budget, until all properties that should catch it have. What else is caught on the way counts too.
 *
 * @throws {RangeError} `CATCHES` names a property or a defect that does not exist.
 */
export async function runMatrix({ seed, only, onDefect }: MatrixOptions): Promise<Matrix> {
  const wanted = wantedKills(only)
  const tried = new Map<string, Set<string>>()
  const kills = new Map<string, Set<string>>()
  const lab = await Lab.open(seed)
  try {
    for (const [defectId, properties] of wanted) {
      const defect = DEFECTS_BY_ID.get(defectId)
      if (defect === undefined) throw new RangeError(`there is no defect ${defectId}`)
      const broken = lab.with(defect.seams)
      for (const family of FAMILIES) {
        const mine = family.properties.filter(({ id }) => properties.has(id)).map(({ id }) => id)
        if (mine.length === 0) continue
        const run = await runFamily(family, broken, {
          seed,
          budget: 'quick',
          only: new Set(mine),
          shrink: false,
        }).catch((error: unknown) => {
          // A service so broken that no case can be put to it has been found out, but by no property.
          if (error instanceof Error && error.name === 'CaseNotJudgedError') return null
          throw error
        })
        for (const id of mine) {
          note(tried, id, defectId)
          const found = run?.properties.find((each) => each.id === id)?.counterexample
          if (found) note(kills, id, defectId)
        }
      }
      onDefect?.(defectId)
    }
  } finally {
    await lab.close()
  }
  const ids = FAMILIES.flatMap(({ properties }) => properties.map(({ id }) => id)).filter(
    (id) => only?.has(id) ?? true,
  )
  return {
    defects: [...wanted.keys()].map((id) => ({ id, title: DEFECTS_BY_ID.get(id)?.title ?? '' })),
    properties: ids.map((id) => ({
      id,
      tried: [...(tried.get(id) ?? [])],
      kills: [...(kills.get(id) ?? [])],
    })),
  }
}

/** How many broken services a matrix of these properties needs. */
export function defectsOf(only: ReadonlySet<string> | null): number {
  return wantedKills(only).size
}

/** By defect: the properties that should catch it. */
function wantedKills(only: ReadonlySet<string> | null): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(FAMILIES.flatMap(({ properties }) => properties.map(({ id }) => id)))
  const wanted = new Map<string, Set<string>>()
  for (const [property, defects] of Object.entries(CATCHES)) {
    if (!known.has(property)) throw new RangeError(`there is no property ${property}`)
    if (only !== null && !only.has(property)) continue
    for (const defect of defects) note(wanted, defect, property)
  }
  return wanted
}

function note(sets: Map<string, Set<string>>, key: string, member: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(member))
}
