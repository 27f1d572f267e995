import { canonicalJson } from '../../recordings/format/canonical.ts'
import { positioned } from '../../recordings/format/drafts.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { explicit } from '../../recordings/record/sealed.ts'
import { timelineOf } from '../../recordings/timeline/fromRecording.ts'
import { casesOf, type Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { select } from '../../runner/plan/plan.ts'
import type { Scenario } from '../../runner/scenarios/scenarioFile.ts'
import { namedScenarios } from '../../runner/scenarios/scenarioFolder.ts'
import { readRecording } from '../recordings/readRecording.ts'
import { recordingFiles } from '../recordings/recordings.ts'

/** So many failed scenarios are drawn; many have one cause. */
const DRAWN_FAILURES = 3

/**
 * Returns the scenarios that the patterns select; none without patterns.
 *
 * @throws {UsageError} a pattern selects nothing.
 */
export function scenariosNamed(patterns: readonly string[]): readonly Scenario[] {
  return patterns.length === 0 ? [] : select(namedScenarios(), patterns, { kind: 'scenario' })
}

/** Returns the first scenarios that failed in a run. */
export function failedScenarios(run: Results): readonly Scenario[] {
  const failed = new Set(
    casesOf(run)
      .filter(({ status }) => status === 'fail')
      .map(({ id }) => id),
  )
  return namedScenarios()
    .filter(({ id }) => failed.has(`scenario.${id}`))
    .slice(0, DRAWN_FAILURES)
}

/**
 * Returns the recordings of these paths as timelines.
 *
 * @throws {UsageError} a file is no recording; it is named.
 */
export function drawRecordings(paths: readonly string[]): Timeline[] {
  return recordingFiles(paths).map((path) => {
    const recording = readRecording(path)
    return describedTimeline(timelineOf(recording), recording)
  })
}

/**
 * Returns the timeline of a recording with its description, where it is of a scenario of this project. The name alone does not
 * make it one, for anybody can write any name into a file: its script must be that of the scenario.
 */
export function describedTimeline(timeline: Timeline, { entries }: Recording): Timeline {
  const scenario = namedScenarios().find(({ id }) => id === timeline.id)
  if (scenario === undefined) return timeline
  const isItsOwn = positioned(entries, 'script').every(
    ([, { steps }]) => canonicalJson(steps) === canonicalJson(scenario.steps.map(explicit)),
  )
  return isItsOwn ? { ...timeline, description: scenario.description } : timeline
}
