import type { Results } from '../results.ts'
import type { PropertyFamily } from './model.ts'

/** The suite of a run that holds its properties. */
const SUITE = 'properties'
const LABEL = /^(.+): (\d+)$/
/** Label of the note with the number of cases of a family, next to the counts of its classes. */
const CASES = 'cases'

/** Returns the properties of a run, grouped by the cases on which they were checked, with the classes of those cases. */
export function propertyFamilies(run: Pick<Results, 'suites' | 'floors'>): readonly PropertyFamily[] {
  const suite = run.suites.find(({ name }) => name === SUITE)
  const floors = new Map(run.floors.map(({ label, floor }) => [label, floor]))
  const families = new Map<string, PropertyFamily>()
  for (const { id, title, status, exercised, notes } of suite?.cases ?? []) {
    const counts = notes.flatMap((note) => {
      const [, name, count] = LABEL.exec(note) ?? []
      return name === undefined ? [] : [{ name, count: Number(count), floor: floors.get(name) ?? null }]
    })
    const key = JSON.stringify(counts)
    const family = families.get(key) ?? {
      cases: counts.find(({ name }) => name === CASES)?.count ?? exercised,
      labels: counts.filter(({ name }) => name !== CASES),
      properties: [],
    }
    family.properties.push({ id, title, status, exercised })
    families.set(key, family)
  }
  // A class that no case met is listed with the first family.
  const [first, ...others] = families.values()
  const met = new Set([...families.values()].flatMap(({ labels }) => labels.map(({ name }) => name)))
  const unmet = [...floors].flatMap(([name, floor]) => (met.has(name) ? [] : [{ name, count: 0, floor }]))
  return first === undefined ? [] : [{ ...first, labels: [...first.labels, ...unmet] }, ...others]
}

/** A class of generated cases over all families. */
export interface ClassOfCases {
  readonly name: string
  readonly count: number
  /** The group of the class, such as `fee` for `fee: none`, and its share of the group; null: not in a group. */
  readonly share: { readonly of: string; readonly part: number } | null
  readonly floor: number | null
}

/** Returns the classes of all families together, sorted by name; a floor applies to their sum. */
export function classesOf(families: readonly PropertyFamily[]): readonly ClassOfCases[] {
  const counts = new Map<string, { count: number; floor: number | null }>()
  const kinds = new Map<string, number>()
  for (const { name, count, floor } of families.flatMap(({ labels }) => labels)) {
    const known = counts.get(name)
    counts.set(name, { count: count + (known?.count ?? 0), floor: floor ?? known?.floor ?? null })
    const kind = kindOf(name)
    if (kind !== null) kinds.set(kind, count + (kinds.get(kind) ?? 0))
  }
  return [...counts]
    .map(([name, { count, floor }]) => {
      const kind = kindOf(name)
      const share = kind === null ? null : { of: kind, part: count / Math.max(1, kinds.get(kind) ?? 0) }
      return { name, count, share, floor }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function kindOf(name: string): string | null {
  const [kind = '', ...rest] = name.split(': ')
  return rest.length === 0 ? null : kind
}
