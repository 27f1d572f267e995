import { relative } from 'node:path'
import { referenceFacts } from '../../targets/starting/reference.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type KeptFailure, writeFailure } from '../families/failures.ts'
import type { ObservedScript, ScriptFamily, ShrunkScript } from '../families/runScript.ts'
import { withWorkers } from '../pool/workers.ts'
import type { Executed, RunRequest } from '../run/runRequest.ts'
import { floorsOf, sumLabels } from '../verdict/floors.ts'
import { type Plan, planRuns } from './plan.ts'
import { type BrokenService, type RunToRecord, recordRuns } from './record.ts'
import { type FinishedRun, runPlan, type ShrunkRun, type Simulator, shrinkFailures } from './run.ts'

/** Everything that decides a simulation, in addition to the request. */
export interface SimulateExecution extends Plan {
  /** How Plumbline is called, as `npx plumbline`: what runs a failure again begins with it. */
  readonly command: string
  /** The family whose properties judge every script. */
  readonly family: ScriptFamily<ObservedScript>
  /** Opens at most so many workers. */
  readonly openWorkers: (count: number) => Promise<readonly Simulator[]>
  /** Returns what so many random scripts must meet at least. */
  readonly floorsForRuns: (runs: number) => Readonly<Record<string, number>>
  /** Where every run is recorded. Default: nowhere. */
  readonly record?: string | undefined
  /** Where shrunk failures are kept, and their recordings; null: nothing is shrunk. */
  readonly keep: { readonly folder: string; readonly recordings: string } | null
  /** The known-broken service that is simulated. Default: the reference. */
  readonly defect?: BrokenService
  readonly watch: SimulationWatch
}

/** Follows a simulation. */
export interface SimulationWatch {
  /** In the order of the plan, for any number of workers. */
  onRun(run: FinishedRun): void
  onRecorded(file: string): void
  onKept(kept: KeptRun): void
}

/** A shrunk failure, and where it was written. */
export interface KeptRun extends ShrunkRun {
  /** The kept failure, relative to the current directory. */
  readonly file: string
  readonly recording: string
}

/**
 * Runs kept failures, named scenarios and random scripts against the reference; records them, and shrinks and keeps what
 * fails. Equal requests give equal runs, for any number of workers.
 *
 * @throws what `planRuns` and `recordRuns` throw.
 */
export function executeSimulation(execution: SimulateExecution, request: RunRequest): Promise<Executed> {
  const { record, keep, watch, floorsForRuns, failures, defect } = execution
  const plan = planRuns(execution)
  request.progress?.start(plan.length)
  return withWorkers(
    () => execution.openWorkers(plan.length),
    async (simulators) => {
      const runs = await runPlan(simulators, plan, watch.onRun)
      if (record !== undefined) await recordRuns(record, runs, watch.onRecorded, defect)
      if (keep !== null)
        await keepFailures(keep, failures, await shrinkFailures(simulators, runs), watch.onKept, defect)
      // Scenarios and kept failures are what they are: the random scripts alone must meet every state.
      const random = runs.filter(({ options }) => options !== null)
      return {
        target: referenceFacts('sandbox'),
        suites: [{ name: 'simulations', cases: runs.map((run) => resultOf(run, execution)) }],
        floors: floorsOf(floorsForRuns(random.length), sumLabels(random.map(({ labels }) => labels))),
        whole: false,
      }
    },
  )
}

function resultOf(run: FinishedRun, { command, defect }: SimulateExecution): CaseResult {
  const { name, seed, requirement, log, problem } = run
  return {
    id: `${name}.seed-${seed}`,
    title: `${name}, seed ${seed}`,
    requirements: requirement === null ? [] : [requirement],
    status: problem?.status ?? 'pass',
    exercised: log.length,
    notes: [],
    judged: [],
    failure:
      problem === null
        ? null
        : {
            blame: problem.status === 'fail' ? 'target' : 'harness',
            requirement: problem.broken?.requirement ?? null,
            message: problem.message,
            expected: problem.broken?.expected ?? 'a script that can be run and judged',
            actual: problem.broken?.actual ?? problem.message,
            exchanges: [],
            replay: replayOf(run, command, defect?.id),
          },
  }
}

/**
 * Returns the command line that runs a script again.
 *
 * @param command how Plumbline is called, as `npx plumbline`.
 * @param defect the known-broken service that it ran against. Default: the reference.
 */
export function replayOf({ name, options, seed }: FinishedRun, command: string, defect?: string): string {
  if (options !== null) return replayOfSeed(seed, command, defect)
  return `${command} simulate ${name} --seed ${seed}${against(defect)}`
}

/**
 * Returns the command line that runs the random script of a seed again.
 *
 * @param command how Plumbline is called.
 * @param defect the known-broken service that it ran against. Default: the reference.
 */
export function replayOfSeed(seed: number, command: string, defect?: string): string {
  return `${command} simulate --seed ${seed} --runs 1${against(defect)}`
}

function against(defect: string | undefined): string {
  return defect === undefined ? '' : ` --defect ${defect}`
}

/** Writes each shrunk script among the kept failures, and a recording of it for people to look into. */
export async function keepFailures(
  { folder, recordings }: { readonly folder: string; readonly recordings: string },
  known: readonly KeptFailure[],
  shrunkRuns: readonly ShrunkRun[],
  onKept: (kept: KeptRun) => void,
  broken?: BrokenService,
): Promise<void> {
  for (const shrunkRun of shrunkRuns) {
    const { seed } = shrunkRun.run
    const written = writeFailure(folder, keptFailureOf(seed, shrunkRun.shrunk), known)
    const onRecorded = (recording: string) =>
      onKept({ ...shrunkRun, file: relative('', written), recording: relative('', recording) })
    await recordRuns(recordings, [runToRecord(seed, shrunkRun.shrunk)], onRecorded, broken)
  }
}

/** Returns a shrunk script, as a kept failure. */
function keptFailureOf(seed: number, { steps, broken }: ShrunkScript): Omit<KeptFailure, 'file'> {
  return { ...broken, seed, case: { steps } as never }
}

/** Returns a shrunk script, to be recorded under the requirement that it breaks. */
function runToRecord(seed: number, { steps, broken }: ShrunkScript): RunToRecord {
  return { name: broken.requirement, seed, steps, log: [] }
}
