import type { Results } from '../../reporting/results.ts'
import { describeCounterexample, type ReplayOptions } from '../../runner/counterexample.ts'
import { resultOf } from '../../runner/result.ts'
import type { FamiliesRun, FamilyTotals } from '../../runner/runFamilies.ts'
import type { CaseResult } from '../../runner/suite.ts'
import { EVERY_CAPABILITY } from '../../targets/inProcess.ts'
import { FAMILIES } from '../suites.ts'

/** A run of the properties as a result file holds it, with the classes of its cases and their floors. */
export function resultsOf(run: FamiliesRun, target: string, replay: ReplayOptions): Results {
  return resultOf({
    command: 'property',
    target,
    seed: replay.seed,
    profile: 'sandbox',
    capabilities: EVERY_CAPABILITY,
    suites: [{ name: 'properties', cases: run.families.flatMap((family) => rowsOf(family, run, replay)) }],
    whole: false,
    floors: run.floors,
  })
}

function rowsOf(
  { id: family, cases, labels, properties }: FamilyTotals,
  { labels: all, floors }: FamiliesRun,
  replay: ReplayOptions,
): readonly CaseResult[] {
  const known = FAMILIES.find(({ id }) => id === family)?.properties ?? []
  // What no family met stands with the first, so that it is missed somewhere.
  const unmet = family === FAMILIES[0]?.id ? floors.filter(({ label }) => !all.has(label)) : []
  const counts = [...labels, ...unmet.map(({ label }): [string, number] => [label, 0])]
  const notes = [`cases: ${cases}`, ...counts.map(([label, count]) => `${label}: ${count}`)]
  return properties.map(({ id, exercised, counterexample }): CaseResult => {
    const about = known.find((each) => each.id === id)
    const lines = counterexample === null ? [] : describeCounterexample(counterexample, replay)
    return {
      id,
      title: about?.title ?? id,
      requirements: about?.requirements ?? [],
      status: counterexample !== null ? 'fail' : exercised === 0 ? 'inconclusive' : 'pass',
      exercised,
      notes,
      judged: [],
      failure:
        counterexample === null
          ? null
          : {
              blame: 'target',
              requirement: counterexample.requirement,
              message: lines.join('\n'),
              expected: counterexample.expected,
              seen: counterexample.actual,
              exchanges: [],
              replay: lines[1] ?? '',
            },
    }
  })
}
