import type { ReportRequirement, SilentPoint } from './model.ts'

/** Returns the points on which the specification is silent, with what the run observed. */
export function silentPoints(requirements: readonly ReportRequirement[]): readonly SilentPoint[] {
  return requirements
    .filter(({ level }) => level === 'silent')
    .map(({ id, section, statement, verdict, notes, exercised }) => ({
      ...{ id, section, statement },
      observed:
        verdict === 'observed' ? notes.join('; ') || `exercised ${exercised} times, nothing recorded` : null,
    }))
}
