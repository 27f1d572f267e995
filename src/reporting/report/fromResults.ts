import { excusesOf, shownStatus } from '../baseline.ts'
import type { BaselineEntry } from '../baselineFormat.ts'
import { pointsOf } from '../openPoints.ts'
import type { CaseResult, Results } from '../results.ts'
import type { About } from './about.ts'
import { caseCommand } from './again.ts'
import { REPORT_SCHEMA, type Report, type ReportCase } from './model.ts'
import { propertyFamilies } from './propertyFamilies.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'

/** The parts of a report that are not in the results of its run. */
export type Extras = Partial<Omit<About, 'schema'> & Pick<Report, 'change' | 'timelines'>>

/** Returns the report of a run: its verdict, one for each requirement of the specification, and the cases as evidence. */
export function reportOf(run: Results, extras: Extras = {}): Report {
  const { command, seed, verdict, baseline, suites, shard, requests } = run
  const target = shard === undefined ? run.target : `${run.target}, shard ${shard.index}/${shard.of}`
  const excuses = excusesOf(run)
  const replay = extras.replay || `npx plumbline run --seed ${seed}`
  const requirements = requirementVerdicts(run)
  return {
    schema: REPORT_SCHEMA,
    ...{ command, target, seed, verdict, baseline },
    ...(requests === undefined ? {} : { requests }),
    baseUrl: null,
    durationMs: null,
    versions: [],
    replay,
    suites: suites.map(({ name }) => name),
    cases: suites.flatMap(({ name, cases }) => cases.map((row) => toReportCase(row, name, replay, excuses))),
    requirements,
    change: null,
    properties: propertyFamilies(run),
    openPoints: pointsOf(run),
    timelines: [],
    ...extras,
  }
}

function toReportCase(
  row: CaseResult,
  suite: string,
  replay: string,
  excuses: ReadonlyMap<string, BaselineEntry>,
): ReportCase {
  return {
    ...row,
    status: shownStatus(row, excuses),
    excuse: excuses.get(row.id) ?? null,
    suite,
    replay: row.failure?.replay ?? caseCommand(replay, row.id),
  }
}
