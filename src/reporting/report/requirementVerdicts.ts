import { allRequirements, type Requirement } from '../../spec/requirements/index.ts'
import type { CheckRow, Results } from '../results.ts'
import type { RequirementVerdict, Verdicts } from '../verdicts.ts'
import type { Report, ReportRequirement, Verdict } from './model.ts'

/** What the checks of a run say of one requirement, taken together. */
interface Evidence {
  readonly cited: CheckRow[]
  passed: number
  failed: number
  observed: number
  readonly seen: Set<string>
  readonly classes: Map<string, number>
}

interface Given {
  readonly killMatrix?: Report['killMatrix']
  /** What the run itself came to; it knows the capabilities of the target, and what was left out by choice. */
  readonly verdicts?: Verdicts | null
}

/** A verdict for every requirement, those that nobody asked about included. */
export function requirementVerdicts(
  run: Results,
  { killMatrix = null, verdicts = null }: Given = {},
): ReportRequirement[] {
  const evidence = gather(run)
  const told = new Map((verdicts?.requirements ?? []).map((verdict) => [verdict.id, verdict]))
  return allRequirements().map((requirement) => {
    const own = evidence.get(requirement.id) ?? nothing()
    const { id, section, clause, statement, level, floor } = requirement
    return {
      id,
      section,
      clause,
      statement,
      level,
      floor,
      exercised: own.passed + own.failed + own.observed,
      checks: own.cited.map((row) => row.id),
      classes: Object.fromEntries([...own.classes].sort(([one], [other]) => (one < other ? -1 : 1))),
      killedBy:
        killMatrix === null || !killMatrix.requirements.includes(id)
          ? null
          : killMatrix.defects
              .filter(({ breaks, killedBy }) => breaks.includes(id) && killedBy.length > 0)
              .map((defect) => defect.id),
      ...(toldBy(told.get(id)) ?? judge(requirement, own)),
    }
  })
}

function toldBy(
  verdict: RequirementVerdict | undefined,
): Pick<ReportRequirement, 'verdict' | 'exercised' | 'floor' | 'notes'> | null {
  if (verdict === undefined) return null
  const { status, exercised, floor, seen, reason } = verdict
  return { verdict: status, exercised, floor, notes: reason === null ? seen : [reason, ...seen] }
}

function gather(run: Results): ReadonlyMap<string, Evidence> {
  const evidence = new Map<string, Evidence>()
  const of = (id: string): Evidence => {
    const known = evidence.get(id) ?? nothing()
    evidence.set(id, known)
    return known
  }
  for (const row of run.groups.flatMap(({ results }) => results)) {
    const judged = row.judged ?? []
    const broken = row.status === 'fail' ? row.failure?.requirement : null
    const ids = [
      ...row.requirements,
      ...judged.map(({ requirement }) => requirement),
      ...(broken ? [broken] : []),
    ]
    for (const id of new Set(ids)) of(id).cited.push(row)
    if (broken) of(broken).failed += 1
    for (const verdict of judged) {
      const own = of(verdict.requirement)
      own.passed += verdict.passed
      own.observed += verdict.observed
      // The failure that ended the check is counted above.
      own.failed += verdict.requirement === broken ? Math.max(0, verdict.failed - 1) : verdict.failed
      for (const what of verdict.seen) own.seen.add(what)
      for (const name of [...verdict.venues, ...verdict.boundaryClasses]) {
        own.classes.set(name, (own.classes.get(name) ?? 0) + 1)
      }
    }
    // A check that keeps no verdicts by requirement stands for each that it cites.
    if (row.judged === undefined) for (const id of row.requirements) countWhole(of(id), row)
  }
  return evidence
}

function countWhole(own: Evidence, row: CheckRow): void {
  if (row.status === 'pass') own.passed += row.exercised
  if (row.status === 'observed') {
    own.observed += row.exercised
    for (const note of row.notes) own.seen.add(note)
  }
}

function nothing(): Evidence {
  return { cited: [], passed: 0, failed: 0, observed: 0, seen: new Set(), classes: new Map() }
}

function judge(
  { level, floor, untestableBecause }: Requirement,
  { cited, passed, failed, observed, seen }: Evidence,
): { readonly verdict: Verdict; readonly notes: string[] } {
  if (failed > 0) return { verdict: 'fail', notes: [] }
  if (level === 'untestable') return { verdict: 'untestable', notes: [untestableBecause ?? ''] }
  if (cited.length === 0) return { verdict: 'untested', notes: ['no check of this run asks about it'] }
  if (cited.every(({ status }) => status === 'not-applicable')) {
    return { verdict: 'not-applicable', notes: [...new Set(cited.flatMap(({ notes }) => notes))] }
  }
  if (level === 'silent') {
    // A point on which nothing can be wrong: whatever was met is an observation.
    return passed + observed > 0
      ? { verdict: 'observed', notes: [...seen] }
      : { verdict: 'inconclusive', notes: ['its checks ended before they saw anything'] }
  }
  if (passed >= floor) return { verdict: 'pass', notes: [...seen] }
  if (level === 'may' && observed > 0) return { verdict: 'observed', notes: [...seen] }
  return {
    verdict: 'inconclusive',
    notes: [
      passed === 0 ? 'no check came so far as to judge it' : `judged ${passed} times, of ${floor} needed`,
    ],
  }
}
