import type { CheckRow, Results } from '../results.ts'
import { REPORT_SCHEMA, type Report, type ReportResult } from './model.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'
import { silentPoints } from './silentPoints.ts'

/** What a report shows beside the results of its run. */
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
  /** Other runs, whose observations on the silent points stand beside this one's. */
  readonly beside?: readonly { readonly name: string; readonly run: Results }[]
}

/** The report of a run: a verdict for each requirement of the specification, and the checks that it rests on. */
export function reportOf(run: Results, { beside = [], ...extras }: Extras = {}): Report {
  const results = run.groups.flatMap((group) => group.results.map((row) => toResult(row, group.name, run)))
  return {
    schema: REPORT_SCHEMA,
    suite: run.suite,
    target: run.target,
    baseUrl: null,
    seed: run.seed,
    verdict: verdictOf(results),
    durationMs: null,
    versions: [],
    replay: `npx plumbline run --seed ${run.seed}`,
    groups: run.groups.map(({ name }) => name),
    results,
    requirements: requirementVerdicts(run, extras.killMatrix ?? null),
    change: null,
    killMatrix: null,
    properties: [],
    silent: silentPoints([{ name: run.target, run }, ...beside]),
    ratios: [],
    timelines: [],
    ...extras,
  }
}

function toResult(row: CheckRow, group: string, run: Results): ReportResult {
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
    exchanges: (failure?.exchanges ?? []).map((exchange) => ({ durationMs: null, ...exchange })),
    failure:
      failure === null
        ? null
        : {
            requirement: failure.requirement,
            message: failure.message,
            expected: failure.expected,
            seen: failure.seen,
          },
  }
}

function blameOf(status: CheckRow['status']): ReportResult['blame'] {
  if (status === 'fail') return 'target'
  return status === 'inconclusive' ? 'harness' : null
}

function verdictOf(results: readonly ReportResult[]): Report['verdict'] {
  if (results.some(({ status }) => status === 'fail')) return 'does-not-conform'
  const proved = results.some(({ status }) => status === 'pass')
  if (!proved || results.some(({ status }) => status === 'inconclusive')) return 'inconclusive'
  return 'conforms'
}
