import type { Requirement } from '../../spec/requirements/index.ts'
import type { BaselineEntry } from '../baselineFormat.ts'
import type { ChangedPoint, ReportPoint } from '../openPoints.ts'
import type { CaseResult, RequirementVerdict, Results } from '../results.ts'
import type { Timeline } from '../timeline/model.ts'
import type { About } from './about.ts'

export const REPORT_SCHEMA = 'plumbline-report/6'

/** The ending of a case; `excused`: it failed, or was inconclusive, and the baseline excuses that. */
export type Status = CaseResult['status'] | 'excused'
/** The verdict of a requirement; `untested`: no case of this run cites it; `excused`: only excused cases keep it from a pass. */
export type Verdict = RequirementVerdict['status'] | 'excused' | 'untested' | 'untestable'

/** The endings in the order in which a report lists them: those that need attention first. */
export const STATUSES: readonly Status[] = [
  'fail',
  'inconclusive',
  'excused',
  'observed',
  'not-applicable',
  'skipped',
  'pass',
]
export const VERDICTS: readonly Verdict[] = [
  'fail',
  'not-kept',
  'inconclusive',
  'excused',
  'untested',
  'observed',
  'not-applicable',
  'untestable',
  'pass',
]

/** A case of a run, with data for the report. */
export interface ReportCase
  extends Omit<CaseResult, 'judged' | 'status'>,
    Partial<Pick<CaseResult, 'judged'>> {
  readonly status: Status
  /** The baseline entry that excuses its ending; null: none. */
  readonly excuse: BaselineEntry | null
  readonly suite: string
  readonly replay: string
}

/** A requirement with the run's verdict on it. */
export interface ReportRequirement
  extends Pick<Requirement, 'id' | 'section' | 'clause' | 'statement' | 'level' | 'sameAs'> {
  /** Ids of the requirements that restate it. */
  readonly restatedBy: readonly string[]
  readonly verdict: Verdict
  readonly exercised: number
  /** Number of observations that a pass needs. */
  readonly floor: number
  /** Ids of the cases that cite it. */
  readonly cases: readonly string[]
  /** Number of times that each class of inputs was covered: boundaries, venues. */
  readonly classes: Readonly<Record<string, number>>
  /** Details of the verdict: observations, missing evidence. */
  readonly notes: readonly string[]
}

/** The differences from another run: ids of cases, and open points. */
export interface ReportChange {
  readonly against: string
  readonly newFailures: string[]
  readonly failsDifferently: string[]
  /** Cases that fail as before but are no longer excused, and cases that are excused only now. */
  readonly noLongerExcused: string[]
  readonly newlyExcused: string[]
  readonly newlyInconclusive: string[]
  readonly fixed: string[]
  readonly vanished: string[]
  readonly added: string[]
  /** Open points that the service answers differently. */
  readonly changedPoints: readonly ChangedPoint[]
  readonly changedEvidence: { readonly id: string; readonly before: string; readonly after: string }[]
}

/** Properties that were checked on the same cases. */
export interface PropertyFamily {
  readonly cases: number
  /** Number of cases in each class; `floor`: the number that all families together must reach, null: none. */
  readonly labels: readonly { readonly name: string; readonly count: number; readonly floor: number | null }[]
  readonly properties: Pick<CaseResult, 'id' | 'title' | 'status' | 'exercised'>[]
}

/** The data of a report: a run, its circumstances, and optional parts. */
export interface Report
  extends Pick<Results, 'command' | 'target' | 'seed' | 'verdict' | 'baseline' | 'requests'>,
    Omit<About, 'schema'> {
  readonly schema: typeof REPORT_SCHEMA
  readonly suites: readonly string[]
  readonly cases: readonly ReportCase[]
  readonly requirements: readonly ReportRequirement[]
  readonly change: ReportChange | null
  readonly properties: readonly PropertyFamily[]
  readonly openPoints: readonly ReportPoint[]
  readonly timelines: readonly Timeline[]
}

/** Counts the cases by ending; every ending has a number. */
export function countCases(cases: readonly Pick<ReportCase, 'status'>[]): Readonly<Record<Status, number>> {
  return count(
    STATUSES,
    cases.map(({ status }) => status),
  )
}

/** Counts the requirements by verdict; every verdict has a number. */
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
