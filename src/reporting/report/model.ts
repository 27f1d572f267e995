import type { Requirement } from '../../spec/requirements/index.ts'
import type { BaselineEntry } from '../baselineFormat.ts'
import type { ChangedPoint, ReportPoint } from '../openPoints.ts'
import type { CaseResult, RequirementVerdict, Results } from '../results.ts'
import type { Timeline } from '../timeline/model.ts'
import type { About } from './about.ts'

/** The version of the format of `plumbline report --json`. */
export const REPORT_SCHEMA = 'plumbline-report/6'

/** Describes how a case ended; `excused`: it failed, or was inconclusive, as the baseline says. */
export type Status = CaseResult['status'] | 'excused'
/** The verdict of a requirement; `untested`: no case of this run cites it; `excused`: only excused cases keep it from a pass. */
export type Verdict = RequirementVerdict['status'] | 'excused' | 'untested' | 'untestable'

/** In the order in which a report lists them: what needs attention first. */
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

/** A case of a run, with what a report shows in addition. */
export interface ReportCase
  extends Omit<CaseResult, 'judged' | 'status'>,
    Partial<Pick<CaseResult, 'judged'>> {
  readonly status: Status
  /** The entry of the baseline that excuses how it ended; null where none does. */
  readonly excuse: BaselineEntry | null
  readonly suite: string
  /** The command that runs only this case. */
  readonly replay: string
}

/** A requirement with what the run says of it. */
export interface ReportRequirement
  extends Pick<Requirement, 'id' | 'section' | 'clause' | 'statement' | 'level' | 'sameAs'> {
  /** Ids of the requirements that restate it. */
  readonly restatedBy: readonly string[]
  readonly verdict: Verdict
  readonly exercised: number
  /** A pass needs at least this many observations. */
  readonly floor: number
  /** Ids of the cases that cite it. */
  readonly cases: readonly string[]
  /** How often each class of inputs was covered: boundaries, venues. */
  readonly classes: Readonly<Record<string, number>>
  /** Details of the verdict: observations, missing evidence. */
  readonly notes: readonly string[]
}

/** The differences from another run: ids of cases, and open points. */
export interface ReportChange {
  /** The name of the run that this one is compared with. */
  readonly against: string
  readonly newFailures: string[]
  readonly failsDifferently: string[]
  /** Fail as before, without the excuse of a baseline that they had; and those that are excused only now. */
  readonly noLongerExcused: string[]
  readonly newlyExcused: string[]
  readonly newlyInconclusive: string[]
  readonly fixed: string[]
  readonly vanished: string[]
  readonly added: string[]
  /** Points that the specification leaves open and that the service answers otherwise. */
  readonly changedPoints: readonly ChangedPoint[]
  readonly changedEvidence: { readonly id: string; readonly before: string; readonly after: string }[]
}

/** Properties that were checked on the same cases. */
export interface PropertyFamily {
  readonly cases: number
  /** How many cases fell into each class; `floor`: how many of all families together must, null where none must. */
  readonly labels: readonly { readonly name: string; readonly count: number; readonly floor: number | null }[]
  readonly properties: Pick<CaseResult, 'id' | 'title' | 'status' | 'exercised'>[]
}

/** The data of a report: a run, its circumstances, and what else was given. */
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
