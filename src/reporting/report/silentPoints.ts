import type { Results } from '../results.ts'
import type { SilentPoints } from './model.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'

/** The observations of each run where the specification is silent, side by side. */
export function silentPoints(
  runs: readonly { readonly name: string; readonly run: Results }[],
): SilentPoints {
  const columns = runs.map(({ run }) => requirementVerdicts(run).filter(({ level }) => level === 'silent'))
  const points = (columns[0] ?? []).map(({ id, section, statement }, index) => ({
    id,
    section,
    statement,
    observed: columns.map((column) => {
      const own = column[index]
      if (own?.verdict !== 'observed') return null
      return own.notes.join('; ') || `exercised ${own.exercised} times, nothing recorded`
    }),
  }))
  return { sources: runs.map(({ name }) => name), points }
}
