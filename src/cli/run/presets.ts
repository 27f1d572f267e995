import { existsSync } from 'node:fs'
import { type CaseResult, casesOf, type Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { CaseResult as RanCase } from '../../runner/cases/runCase.ts'
import { readFailures, writeFailure } from '../../runner/families/failures.ts'
import { FOUND_FOLDER } from '../../runner/families/foundFolder.ts'
import type { Json } from '../../runner/families/shrinkJson.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { isRequirementId } from '../../spec/requirements/index.ts'
import type { Target } from '../../targets/open.ts'
import { FAILURES, type SuiteChoice } from '../suites/suites.ts'
import type { RunOptions } from './options.ts'

/** The choices that a command makes for a run, in addition to its options. */
export interface Preset {
  readonly command: 'run' | 'conform' | 'property' | 'client'
  /** Noun for what the progress line counts. Default: cases. */
  readonly things?: string
  suites(options: RunOptions, isOutside: boolean): readonly SuiteChoice[]
  /** Returns the target. Default: the service that the options name. */
  target?(named: string | undefined, options: RunOptions): Target
  /** Returns the number of processes that share the cases. Default: as many as are worthwhile. */
  workers?(options: RunOptions): { readonly workers: number }
  /** Returns the value that `--json` prints. */
  json(outcome: Outcome): unknown
  /** Records the scenarios that the report draws, into a folder that need not exist; for the reference only. Default: none. */
  record?(result: Results, options: RunOptions, folder: string): Promise<Timeline[]>
  /** Draws failed cases from their attachments. Default: draws nothing. */
  drawn?(): Drawn
  /** Saves the counterexamples of a run, and returns a line about each. Default: saves none. */
  keepFound?(result: Results, options: RunOptions): readonly string[]
}

/** `plumbline run`: every suite; against the reference, with a brief run of each property. */
export const RUN: Preset = {
  command: 'run',
  suites: ({ effort: budget }, isOutside) =>
    isOutside
      ? [
          { name: 'conformance' },
          { name: 'properties', budget },
          { name: 'scenarios', named: true, paths: [] },
        ]
      : [
          { name: 'lifecycles' },
          { name: 'conformance' },
          { name: 'properties', budget: 'brief', failures: [FAILURES] },
          { name: 'scenarios', named: true, paths: [] },
        ],
  json: ({ result }) => result,
  record: async (result, { draw = [], seed }, folder) => {
    // Loaded only to record, and so is the reference's world below.
    const { drawRecordings, failedScenarios, scenariosNamed } = await import('../report/drawScenarios.ts')
    const scenarios = new Set([...failedScenarios(result), ...scenariosNamed(draw)])
    if (scenarios.size > 0) {
      const { recordRuns } = await import('../../runner/simulate/record.ts')
      const runs = [...scenarios].map(({ id, steps }) => ({ name: id, seed, steps, log: [] }))
      await recordRuns(folder, runs)
    }
    return drawRecordings(existsSync(folder) ? [folder] : [])
  },
}

/** `plumbline conform`: the conformance cases, and the suites that options add. */
export const CONFORM: Preset = {
  command: 'conform',
  suites: ({ effort: budget, withProperties, withScenarios = false, scenarios = [] }) => [
    { name: 'conformance' },
    ...(withProperties ? [{ name: 'properties', budget } as const] : []),
    ...(withScenarios || scenarios.length > 0
      ? [{ name: 'scenarios', named: withScenarios, paths: scenarios } as const]
      : []),
  ],
  json: ({ verdicts }) => verdicts,
}

/** `plumbline client`: the cases for clients. */
export const CLIENT: Preset = {
  command: 'client',
  suites: () => [{ name: 'client' }],
  target: clientOf,
  json: ({ verdicts }) => verdicts,
  drawn: drawnClients,
}

/** Collects the failed cases of a run, to draw them. */
export interface Drawn {
  onResult(result: RanCase): void
  timelines(): Promise<Timeline[]>
}

/** Most failed cases that are drawn; the others only show their exchanges. */
const DRAWN_CLIENTS = 12

function drawnClients(): Drawn {
  const ended = new Map<string, RanCase>()
  return {
    // If a case runs again, its last result counts.
    onResult: (result) => {
      if (result.failure === null) ended.delete(result.id)
      else ended.set(result.id, result)
    },
    timelines: async () => {
      const { clientTimeline } = await import('../../runner/cases/clientTimeline.ts')
      return [...ended.values()].flatMap((result) => clientTimeline(result) ?? []).slice(0, DRAWN_CLIENTS)
    },
  }
}

/** @throws {UsageError} no client, two clients or an unknown one is named. */
function clientOf(named: string | undefined, { start, list = false }: RunOptions): Target {
  if (named !== undefined && named !== 'reference')
    throw new UsageError(
      `there is no client named ${named}`,
      "Name yours with --start 'CMD', or `reference`.",
    )
  if ((named === undefined) === (start === undefined) && !list)
    throw new UsageError(
      start === undefined ? 'no client is named' : 'two clients are named',
      "Give one of: --start 'CMD', reference.",
    )
  return start === undefined ? 'reference' : { client: start }
}

/** Processes for the full budget: one core each, shared with the chains. */
const FULL_WORKERS = 2

/** `plumbline property`: only the properties; a run against the reference must also generate every class of cases. */
export const PROPERTY: Preset = {
  command: 'property',
  things: 'properties',
  suites: ({ effort: budget, only = [], failures }, isOutside) => [
    isOutside
      ? { name: 'properties', budget, failures: failures === undefined ? [] : [failures] }
      : {
          name: 'properties',
          budget,
          failures: foldersOf(failures),
          isWhole: true,
          isChosen: only.length > 0,
        },
  ],
  workers: ({ effort }) => ({ workers: effort === 'full' ? FULL_WORKERS : 1 }),
  json: ({ result }) => result,
  keepFound: (result, options) =>
    casesOf(result).flatMap((row) => {
      const file = row.status === 'fail' ? keepFailure(row, options) : null
      return file === null ? [] : [`the smallest case of ${row.id} is kept in ${file}`]
    }),
}

/** Returns the folders of saved failures: the named one, or that of the project and that of earlier runs here. */
function foldersOf(named: string | undefined): readonly string[] {
  return named === undefined ? [FAILURES, FOUND_FOLDER] : [named]
}

/** Saves the shrunk case of a failure. For a service other than the reference, does so only if `--failures` names a folder. */
function keepFailure({ id, failure }: CaseResult, options: RunOptions): string | null {
  const { seed, failures: folder, defect, start, target } = options
  const { counterexample, expected = '', actual = '' } = failure ?? {}
  const requirement = failure?.requirement ?? ''
  if (counterexample === undefined || !isRequirementId(requirement)) return null
  if ((defect ?? start ?? target) !== undefined && folder === undefined) return null
  const kept = { property: id, requirement, expected, actual, seed, case: counterexample as Json }
  return writeFailure(folder ?? FOUND_FOLDER, kept, readFailures(...foldersOf(folder)))
}
