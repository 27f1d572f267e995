import type { Results } from '../results.ts'
import type { Report } from './model.ts'

/** The group of a run that holds its properties. */
const GROUP = 'properties'
const LABEL = /^(.+): (\d+)$/
/** The note that counts the cases of a family, beside those that count their classes. */
const CASES = 'cases'

/**
 * The properties of a run, with the classes of inputs that their cases fell into. Properties that were put to the same
 * cases stand together.
 */
export function propertyFamilies(run: Results): Report['properties'] {
  const group = run.groups.find(({ name }) => name === GROUP)
  const families = new Map<string, Report['properties'][number]>()
  for (const { id, title, status, exercised, notes } of group?.results ?? []) {
    const counts = notes.flatMap((note) => {
      const [, name, count] = LABEL.exec(note) ?? []
      return name === undefined ? [] : [{ name, count: Number(count) }]
    })
    const key = JSON.stringify(counts)
    const family = families.get(key) ?? {
      cases: counts.find(({ name }) => name === CASES)?.count ?? exercised,
      labels: counts.filter(({ name }) => name !== CASES),
      properties: [],
    }
    family.properties.push({ id, title, status, questions: exercised })
    families.set(key, family)
  }
  return [...families.values()]
}
