import { existsSync, statSync } from 'node:fs'
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

/** Most failed scenarios that are drawn; many have the same cause. */
const DRAWN_FAILURES = 3
/** Limits the recorded cases of a service that are drawn: a page has to open. */
const DRAWN_CASES = 12
const DRAWN_BYTES_MAX = 16 * 1024 * 1024

/**
 * Returns the scenarios that the patterns select; none without patterns.
 *
 * @throws {UsageError} a pattern selects nothing.
 */
export function scenariosNamed(patterns: readonly string[]): readonly Scenario[] {
  return patterns.length === 0 ? [] : select(namedScenarios(), patterns, { kind: 'scenario' })
}

/** Returns the first few scenarios that failed in a run. */
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
 * @throws {UsageError} a file is not a recording; the message names it.
 */
export function drawRecordings(paths: readonly string[]): Timeline[] {
  return recordingFiles(paths).map((path) => {
    const recording = readRecording(path)
    return describedTimeline(timelineOf(recording), recording)
  })
}

/**
 * Returns the timelines of the recordings that a run kept in this folder, if any: all of the reference, as these are made to be
 * drawn, and the first of another service's cases.
 */
export function drawKept(folder: string, { target }: Pick<Results, 'target'>): Timeline[] {
  if (!existsSync(folder)) return []
  if (target === 'reference') return drawRecordings([folder])
  let roomBytes = DRAWN_BYTES_MAX
  return recordingFiles([folder])
    .slice(0, DRAWN_CASES)
    .flatMap((path) => {
      roomBytes -= statSync(path).size
      return roomBytes < 0 ? [] : drawRecordings([path])
    })
}

/**
 * Adds the description of the scenario to the timeline of its recording. The script must equal that of the scenario: anyone can
 * write its name into a file.
 */
export function describedTimeline(timeline: Timeline, { entries }: Recording): Timeline {
  const scenario = namedScenarios().find(({ id }) => id === timeline.id)
  if (scenario === undefined) return timeline
  const isItsOwn = positioned(entries, 'script').every(
    ([, { steps }]) => canonicalJson(steps) === canonicalJson(scenario.steps.map(explicit)),
  )
  return isItsOwn ? { ...timeline, description: scenario.description } : timeline
}
