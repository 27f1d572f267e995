import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import type { CaseRow, Results } from '../results.ts'
import { REPORT_SCHEMA, type Report, type ReportResult } from './model.ts'
import { propertyFamilies } from './propertyFamilies.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'
import { silentPoints } from './silentPoints.ts'

/** What a report shows in addition to the results of its run. */
export interface Extras
  extends Partial<
    Pick<
      Report,
      | 'baseUrl'
      | 'durationMs'
      | 'versions'
      | 'replay'
      | 'change'
      | 'killMatrix'
      | 'properties'
      | 'ratios'
      | 'timelines'
    >
  > {
  /** Other runs, whose observations on the silent points are shown next to this run's. */
  readonly beside?: readonly { readonly name: string; readonly run: Results }[]
}

/** The report of a run: its verdict, one for each requirement of the specification, and the cases behind them. */
export function reportOf(run: Results, { beside = [], ...extras }: Extras = {}): Report {
  const results = run.suites.flatMap(({ name, cases }) => cases.map((row) => toResult(row, name, run)))
  return {
    schema: REPORT_SCHEMA,
    suite: run.suite,
    target: run.target,
    baseUrl: null,
    seed: run.seed,
    verdict: run.verdict,
    durationMs: null,
    versions: [],
    replay: `npx plumbline run --seed ${run.seed}`,
    groups: run.suites.map(({ name }) => name),
    results,
    requirements: requirementVerdicts(run, extras.killMatrix),
    change: null,
    killMatrix: null,
    properties: propertyFamilies(run),
    silent: silentPoints([{ name: run.target, run }, ...beside]),
    ratios: [],
    timelines: [],
    ...extras,
  }
}

function toResult(row: CaseRow, group: string, run: Results): ReportResult {
  const { failure } = row
  return {
    id: row.id,
    title: row.title,
    group,
    requirements: row.requirements,
    status: row.status,
    exercised: row.exercised,
    notes: row.notes,
    durationMs: null,
    blame: failure?.blame ?? blameOf(row.status),
    replay: failure?.replay ?? `npx plumbline run --seed ${run.seed} --only ${row.id}`,
    exchanges: (failure?.exchanges ?? []).map(({ request, response, timing }) => ({
      request,
      response,
      durationMs: timing?.durationMs ?? null,
    })),
    failure:
      failure === null
        ? null
        : {
            requirement: failure.requirement,
            clause: clauseOf(failure.requirement),
            message: failure.message,
            expected: failure.expected,
            seen: failure.seen,
          },
  }
}

function clauseOf(id: string | null): string | null {
  return id !== null && isRequirementId(id) ? requirement(id).clause : null
}

function blameOf(status: CaseRow['status']): ReportResult['blame'] {
  if (status === 'fail') return 'target'
  return status === 'inconclusive' ? 'harness' : null
}
