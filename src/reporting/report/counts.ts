import {
  type ReportCase,
  type ReportRequirement,
  STATUSES,
  type Status,
  VERDICTS,
  type Verdict,
} from './model.ts'

/** Returns how many cases ended in each way; every ending has a number. */
export function countCases(cases: readonly Pick<ReportCase, 'status'>[]): Readonly<Record<Status, number>> {
  return count(
    STATUSES,
    cases.map(({ status }) => status),
  )
}

/** Returns how many requirements came to each verdict; every verdict has a number. */
export function countRequirements(
  requirements: readonly Pick<ReportRequirement, 'verdict'>[],
): Readonly<Record<Verdict, number>> {
  return count(
    VERDICTS,
    requirements.map(({ verdict }) => verdict),
  )
}

function count<Name extends string>(names: readonly Name[], found: readonly Name[]): Record<Name, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (const name of found) counts[name] += 1
  return counts
}
