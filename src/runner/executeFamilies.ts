import { referenceFacts } from '../targets/reference.ts'
import { type Counterexample, describeCounterexample, type ReplayOptions } from './counterexample.ts'
import { writeFailure } from './failures.ts'
import type { AnyFamily } from './family.ts'
import { planRun } from './plan.ts'
import type { Executed, RunRequest } from './run.ts'
import type { CaseResult } from './runCases.ts'
import {
  type FamiliesChoice,
  type FamiliesRun,
  type FamilyTotals,
  type FamilyWorker,
  partsOf,
  runFamilies,
} from './runFamilies.ts'
import { withWorkers } from './workers.ts'

/** Everything that decides how families are run, in addition to the request. */
export interface FamiliesExecution extends Omit<FamiliesChoice, 'only'> {
  readonly families: readonly AnyFamily<never>[]
  /** What must be met by the cases of these properties; null: of all. */
  readonly floorsFor: (only: ReadonlySet<string> | null) => Readonly<Record<string, number>>
  readonly openWorkers: (only: ReadonlySet<string> | null) => Promise<readonly FamilyWorker[]>
  /** Where counterexamples are kept; null: nowhere. */
  readonly keep: string | null
  /** What the reference is called; a defect by its id. */
  readonly target: string
  readonly replay: ReplayOptions
}

/** Runs the properties that the request selects, in parts of their families, on a pool of workers. */
export async function executeFamilies(execution: FamiliesExecution, request: RunRequest): Promise<Executed> {
  const { families, floorsFor, openWorkers, target, ...choice } = execution
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  const only = plan.whole ? null : new Set(planned.map(({ testCase }) => testCase.id))
  const chosen = { ...choice, ...(only === null ? {} : { only }) }
  request.progress?.start(partsOf(families, chosen).length)
  const run = await withWorkers(
    () => openWorkers(only),
    (workers) =>
      runFamilies(families, workers, {
        ...chosen,
        floors: floorsFor(only),
        onPart: ({ family, from, to }) => request.progress?.step(`${family}: cases ${from + 1} to ${to}`),
      }),
  )
  return {
    target: { ...referenceFacts('sandbox'), name: target },
    suites: [{ name: 'properties', cases: resultsOf(run, execution) }],
    floors: run.floors,
    whole: false,
  }
}

/** A result for each property, with the classes of the cases of its family. */
export function resultsOf(
  run: FamiliesRun,
  execution: Pick<FamiliesExecution, 'families' | 'replay' | 'keep' | 'failures' | 'seed'>,
): readonly CaseResult[] {
  return run.families.flatMap((family) => resultsOfFamily(family, run, execution))
}

function resultsOfFamily(
  { id: family, cases, labels, properties }: FamilyTotals,
  { labels: all, floors }: FamiliesRun,
  execution: Parameters<typeof resultsOf>[1],
): readonly CaseResult[] {
  const known = execution.families.find(({ id }) => id === family)?.properties ?? []
  // A class that no family met is listed with the first family, so that its floor is missed in the report.
  const unmet = family === execution.families[0]?.id ? floors.filter(({ label }) => !all.has(label)) : []
  const counts = [...labels, ...unmet.map(({ label }): [string, number] => [label, 0])]
  const notes = [`cases: ${cases}`, ...counts.map(([label, count]) => `${label}: ${count}`)]
  return properties.map(({ id, exercised, counterexample }) => {
    const about = known.find((each) => each.id === id)
    return {
      id,
      title: about?.title ?? id,
      requirements: about?.requirements ?? [],
      status: counterexample !== null ? 'fail' : exercised === 0 ? 'inconclusive' : 'pass',
      exercised,
      notes,
      judged: [],
      failure: counterexample === null ? null : failureOf(counterexample, execution),
    }
  })
}

function failureOf(
  found: Counterexample,
  { replay, keep, failures, seed }: Parameters<typeof resultsOf>[1],
): CaseResult['failure'] {
  const { property, requirement, expected, actual, input, generated } = found
  const lines = [...describeCounterexample(found, replay)]
  if (keep !== null && generated !== null) {
    const failure = { property, requirement, expected, actual, seed, case: input }
    lines.push(`kept in ${writeFailure(keep, failure, failures)}`)
  }
  return {
    blame: 'target',
    requirement,
    message: lines.join('\n'),
    expected,
    seen: actual,
    exchanges: [],
    replay: lines[1] ?? '',
  }
}
