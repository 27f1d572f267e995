import { setEngineFlags } from '../host/engine.ts'
import { classesOf, propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import { executeInProcesses } from '../runner/executeInProcesses.ts'
import { executeOnLanes } from '../runner/executeOnLanes.ts'
import { readFailures } from '../runner/failures.ts'
import { floorsOf } from '../runner/floors.ts'
import { FOUND_FOLDER } from '../runner/foundFolder.ts'
import type { Executed, RunRequest } from '../runner/runRequest.ts'
import { forkWorkers } from './forkWorkers.ts'
import { invocation } from './invocation.ts'
import { seamsOfDefect } from './seamsOfDefect.ts'
import { FAILURES, floorsFor, referenceProperties } from './suites.ts'

/** Processes for the full budget: a core each, next to the chains. */
const FULL_WORKERS = 2
/** A full run may take hours on a slow machine. */
const TIMEOUT_S = 6 * 60 * 60

/** Describes what decides a run of the properties. */
export interface PropertyChoice {
  readonly seed: number
  readonly budget: 'quick' | 'full'
  readonly only?: string[]
  /** The id of a known-broken service. */
  readonly defect?: string
  /** The folder of kept failures; default: those of this project and those that were found here. */
  readonly failures?: string
  /** How many processes run cases; default: 2 for the full budget, otherwise this one alone. */
  readonly workers?: number
}

/**
 * Returns a run of the properties against the reference, in this process or on a pool of processes.
 *
 * @throws {UsageError} there is no such defect.
 */
export function propertyRequest(choice: PropertyChoice): RunRequest {
  const { seed, budget, only = [], defect, failures: folder, workers } = choice
  const seams = seamsOfDefect(defect)
  const failures = [
    ...(folder === undefined ? readFailures(FAILURES) : []),
    ...readFailures(folder ?? FOUND_FOLDER),
  ]
  const flags = [
    ...(budget === 'full' ? [' --budget full'] : []),
    ...(defect === undefined ? [] : [` --defect ${defect}`]),
    ...(folder === undefined ? [] : [` --failures ${folder}`]),
  ].join('')
  const processes = workers ?? (budget === 'full' ? FULL_WORKERS : 0)
  return {
    command: 'property',
    target: 'reference',
    options: {},
    seed,
    only,
    timeoutS: TIMEOUT_S,
    suites: [referenceProperties({ seed, budget, failures, countsRequests: true })],
    seams,
    replay: ({ id }) => `${invocation()} property --seed ${seed} --only ${id}${flags}`,
    execute: async (request) => {
      setEngineFlags()
      const done =
        processes < 2
          ? await executeOnLanes(request)
          : await executeInProcesses(request, () => forkWorkers(processes - 1, { kind: 'property', choice }))
      return withFloors(done, choice)
    },
  }
}

/**
 * The classes of cases decide whether enough was covered; the floors of requirements are for the conformance suite. A run
 * that found something need not meet the classes.
 */
export function withFloors(done: Executed, { budget, only = [], defect }: PropertyChoice): Executed {
  const suites = done.suites.map(({ name, cases }) => ({
    name,
    cases: cases.map((each) => ({ ...each, judged: [] })),
  }))
  const classes = classesOf(propertyFamilies({ suites, floors: [] }))
  const counts = new Map(classes.map(({ name, count }) => [name, count]))
  const isFailed = suites.some(({ cases }) => cases.some(({ status }) => status === 'fail'))
  const demanded = isFailed ? {} : floorsFor(budget, only.length === 0 ? null : new Set(only))
  return {
    target: { ...done.target, name: defect ?? done.target.name },
    suites,
    floors: floorsOf(demanded, counts),
    whole: false,
  }
}
