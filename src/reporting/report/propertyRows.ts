import type { Results } from '../results.ts'
import type { Report } from './model.ts'

/** The group of a run that holds its properties. */
const GROUP = 'properties'
const LABEL = /^(.+): (\d+)$/

/** The properties of a run with the classes of inputs that each met, as their notes count them. */
export function propertyRows(run: Results): Report['properties'] {
  const group = run.groups.find(({ name }) => name === GROUP)
  return (group?.results ?? []).map(({ id, title, status, exercised, notes }) => ({
    id,
    title,
    status,
    runs: exercised,
    discarded: 0,
    labels: notes.flatMap((note) => {
      const [, name, count] = LABEL.exec(note) ?? []
      return name === undefined ? [] : [{ name, count: Number(count), floor: 0 }]
    }),
  }))
}
