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

/** What a command that runs cases chooses where its options leave a choice. */
export interface Preset {
  readonly command: 'run' | 'conform' | 'property' | 'client'
  /** What is counted while it runs. Default: cases. */
  readonly things?: string
  suites(options: RunOptions, isOutside: boolean): readonly SuiteChoice[]
  /** Returns what is tested. Default: the service that the options name. */
  target?(named: string | undefined, options: RunOptions): Target
  /** Returns how many processes share the cases. Default: as many as are worth it. */
  workers?(options: RunOptions): { readonly workers: number }
  /** Returns what `--json` prints. */
  json(outcome: Outcome): unknown
  /** Records what the report of the reference draws, into a folder that need not exist yet. Default: nothing is recorded. */
  record?(result: Results, options: RunOptions, folder: string): Promise<Timeline[]>
  /** Draws cases that do not end well from what they attach. Default: nothing is drawn. */
  drawn?(): Drawn
  /** Keeps the counterexamples that a run found, and returns a line about each. Default: none is kept. */
  keepFound?(result: Results, options: RunOptions): readonly string[]
}

/** `plumbline run`: every suite, with a brief run of each property of the reference. */
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
    // Loaded by whoever records, as is the world of the reference that a recording takes.
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

/** `plumbline conform`: the conformance cases, and what the options add. */
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

/** What a run draws of its cases. */
export interface Drawn {
  onResult(result: RanCase): void
  timelines(): Promise<Timeline[]>
}

/** So many cases that did not end well are drawn; the others show their exchanges. */
const DRAWN_CLIENTS = 12

function drawnClients(): Drawn {
  const ended = new Map<string, RanCase>()
  return {
    // Of a case that runs again the last time counts.
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

/** @throws {UsageError} no client is named, or two are. */
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

/** Processes for the full budget: a core each, next to the chains. */
const FULL_WORKERS = 2

/** `plumbline property`: the properties alone, with the classes of cases that a run of the reference must meet. */
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

/** Returns the folders of kept failures: the one that is named, or those of this project and those that were found here. */
function foldersOf(named: string | undefined): readonly string[] {
  return named === undefined ? [FAILURES, FOUND_FOLDER] : [named]
}

/** Keeps the smallest case of a failure. That of another service than the reference is kept only where a folder is named for it. */
function keepFailure({ id, failure }: CaseResult, options: RunOptions): string | null {
  const { seed, failures: folder, defect, start, target } = options
  const { counterexample, expected = '', actual = '' } = failure ?? {}
  const requirement = failure?.requirement ?? ''
  if (counterexample === undefined || !isRequirementId(requirement)) return null
  if ((defect ?? start ?? target) !== undefined && folder === undefined) return null
  const kept = { property: id, requirement, expected, actual, seed, case: counterexample as Json }
  return writeFailure(folder ?? FOUND_FOLDER, kept, readFailures(...foldersOf(folder)))
}
