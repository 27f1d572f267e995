import { FLOORS } from '../../../property/floors.ts'
import { FAMILIES, type SuiteFamily, type SuiteRun } from '../../../property/suite.ts'
import { type CheckRow, RESULTS_SCHEMA, type Results } from '../../reporting/results.ts'
import { describeCounterexample, type ReplayOptions } from '../../runner/propertyReport.ts'

/** The check that stands for all classes: a run below a floor proves too little, whatever its properties say. */
const CLASSES_ID = 'property.classes'

/** A run of the properties as a result file holds it, with the classes of its cases and what was demanded of them. */
export function resultsOf(run: SuiteRun, target: string, replay: ReplayOptions): Results {
  const rows = run.families.flatMap((family) => rowsOf(family, run, replay))
  const classes: CheckRow = {
    id: CLASSES_ID,
    title: 'every class of cases was met, and enough was asked',
    requirements: [],
    status: run.missed.length === 0 ? 'pass' : 'inconclusive',
    exercised: run.labels.size,
    notes: run.missed.map((missed) => `too little was met: ${missed}`),
    failure: null,
  }
  return {
    schema: RESULTS_SCHEMA,
    suite: 'property',
    target,
    seed: replay.seed,
    groups: [
      { name: 'properties', results: rows },
      { name: 'classes', results: [classes] },
    ],
    footer: { results: rows.length + 1, complete: true },
  }
}

function rowsOf(
  { id: family, cases, labels, properties }: SuiteFamily,
  { labels: all }: SuiteRun,
  replay: ReplayOptions,
) {
  const known = FAMILIES.find(({ id }) => id === family)?.properties ?? []
  // What no family met stands with the first, so that it is missed somewhere.
  const unmet = family === FAMILIES[0]?.id ? Object.keys(FLOORS).filter((label) => !all.has(label)) : []
  const notes = [
    `cases: ${cases}`,
    ...[...labels, ...unmet.map((label): [string, number] => [label, 0])].map(
      ([label, count]) =>
        `${label}: ${count}${FLOORS[label] === undefined ? '' : ` (of all families at least ${FLOORS[label]})`}`,
    ),
  ]
  return properties.map(({ id, questions, counterexample }): CheckRow => {
    const about = known.find((each) => each.id === id)
    const lines = counterexample === null ? [] : describeCounterexample(counterexample, replay)
    return {
      id,
      title: about?.title ?? id,
      requirements: [...(about?.requirements ?? [])],
      status: counterexample !== null ? 'fail' : questions === 0 ? 'inconclusive' : 'pass',
      exercised: questions,
      notes,
      failure:
        counterexample === null
          ? null
          : {
              blame: 'target',
              requirement: counterexample.broken.requirement,
              message: lines.join('\n'),
              expected: counterexample.broken.expected,
              seen: counterexample.broken.seen,
              exchanges: [],
              replay: lines[1] ?? '',
            },
    }
  })
}
