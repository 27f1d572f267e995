import { allRequirements, type Requirement, restatementsOf } from '../../spec/requirements/index.ts'
import { excusedRequirements, shownStatus } from '../baseline.ts'
import { countEach, groupBy } from '../groupBy.ts'
import { type CaseResult, casesOf, type RequirementVerdict, type Results } from '../results.ts'
import type { ReportRequirement } from './model.ts'

/** Returns a row for every requirement on the run's targets, services or clients: its verdict, citing cases and their classes. */
export function requirementVerdicts(run: Results): ReportRequirement[] {
  const verdicts = new Map(run.requirements.map((verdict) => [verdict.id, verdict]))
  const excused = excusedRequirements(run)
  const citing = casesByRequirement(casesOf(run))
  const isOfClients = ofClients(run)
  return allRequirements()
    .filter(({ subject }) => isOfClients.has(subject === 'client'))
    .map((requirement) => {
      const { id, section, clause, statement, level, sameAs } = requirement
      const asserted = sameAs ?? id
      const cases = citing.get(asserted) ?? []
      return {
        id,
        section,
        clause,
        statement,
        level,
        ...(sameAs && { sameAs }),
        restatedBy: restatementsOf(id).map((again) => again.id),
        cases: cases.map((row) => row.id),
        classes: classesOf(asserted, cases),
        ...endingOf(requirement, verdicts.get(id), excused),
      }
    })
}

/** Returns whether a run judges clients (true), services (false) or both; services if it judged none. */
function ofClients({ requirements }: Results): ReadonlySet<boolean> {
  const judged = new Set(requirements.map(({ id }) => id))
  const bound = allRequirements().filter(({ id }) => judged.has(id))
  return bound.length === 0 ? new Set([false]) : new Set(bound.map(({ subject }) => subject === 'client'))
}

function endingOf(
  { level, floor, untestableBecause }: Requirement,
  verdict: RequirementVerdict | undefined,
  excused: ReadonlySet<string>,
): Pick<ReportRequirement, 'verdict' | 'exercised' | 'floor' | 'notes'> {
  if (verdict !== undefined) {
    const { exercised, reason, observations } = verdict
    return {
      verdict: shownStatus(verdict, excused),
      exercised,
      floor: verdict.floor,
      notes: reason === null ? observations : [reason, ...observations],
    }
  }
  return level === 'untestable'
    ? { verdict: 'untestable', exercised: 0, floor, notes: [untestableBecause ?? ''] }
    : { verdict: 'untested', exercised: 0, floor, notes: ['no case of this run judged it'] }
}

/** Returns the cases that cite a requirement, judge it or break it, by its id. */
export function casesByRequirement(cases: readonly CaseResult[]): ReadonlyMap<string, readonly CaseResult[]> {
  const citations = cases.flatMap((row) => {
    const broken = row.failure?.requirement ?? []
    const ids = [row.requirements, row.judged.map(({ requirement }) => requirement), broken].flat()
    return [...new Set(ids)].map((id) => ({ id, row }))
  })
  return new Map([...groupBy(citations, ({ id }) => id)].map(([id, all]) => [id, all.map(({ row }) => row)]))
}

function classesOf(id: string, cases: readonly CaseResult[]): ReportRequirement['classes'] {
  const judged = cases.flatMap((row) => row.judged.filter(({ requirement }) => requirement === id))
  const counts = countEach(judged.flatMap(({ venues, boundaryClasses }) => [...venues, ...boundaryClasses]))
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)))
}
