import { relative } from 'node:path'
import type { RunVerdict } from '../../reporting/results.ts'
import { type KeptFailure, writeFailure } from '../failures.ts'
import { floorsOf, sumLabels } from '../floors.ts'
import type { ObservedScript, ScriptFamily } from '../runScript.ts'
import { type Floor, verdictOf } from '../verdict.ts'
import { type Plan, planRuns } from './plan.ts'
import { recordRuns } from './record.ts'
import { type FinishedRun, runPlan, type ShrunkRun, type Simulator, shrinkFailures } from './run.ts'

/** Everything that decides a simulation. */
export interface SimulateRequest extends Plan {
  /** The family whose properties judge every script. */
  readonly family: ScriptFamily<ObservedScript>
  /** Opens at most so many workers. */
  readonly openWorkers: (count: number) => Promise<readonly Simulator[]>
  /** What so many random scripts must meet at least. */
  readonly floorsForRuns: (runs: number) => Readonly<Record<string, number>>
  /** Where every run is recorded. Default: nowhere. */
  readonly record?: string | undefined
  /** Where shrunk failures are kept, and their recordings; null: nothing is shrunk. */
  readonly keep: { readonly folder: string; readonly recordings: string } | null
  readonly watch: SimulationWatch
}

/** Who follows a simulation. */
export interface SimulationWatch {
  start(runs: number): void
  /** In the order of the plan, for any number of workers. */
  onRun(run: FinishedRun): void
  onRecorded(file: string): void
  onKept(kept: KeptRun): void
}

/** A shrunk failure, and where it was written. */
export interface KeptRun extends ShrunkRun {
  /** The kept failure, as seen from here. */
  readonly file: string
  readonly recording: string
}

/** What a simulation came to. */
export interface Simulation {
  readonly runs: readonly FinishedRun[]
  /** How often the random scripts met each state that they must meet. */
  readonly floors: readonly Floor[]
  readonly verdict: RunVerdict
}

/**
 * Runs kept failures, named scenarios and random scripts against the reference; records them, and shrinks and keeps what
 * fails. Equal requests give equal runs, for any number of workers.
 *
 * @throws what `planRuns` and `recordRuns` throw.
 */
export async function simulate(request: SimulateRequest): Promise<Simulation> {
  const { record, keep, watch, floorsForRuns } = request
  const plan = planRuns(request)
  watch.start(plan.length)
  const simulators = await request.openWorkers(plan.length)
  try {
    const runs = await runPlan(simulators, plan, watch.onRun)
    if (record !== undefined) await recordRuns(record, runs, watch.onRecorded)
    if (keep !== null) {
      const shrunk = await shrinkFailures(simulators, runs)
      await keepFailures(keep, request.failures, shrunk, watch.onKept)
    }
    // Scenarios and kept failures are what they are: the random scripts alone must meet every state.
    const random = runs.filter(({ options }) => options !== null)
    const floors = floorsOf(floorsForRuns(random.length), sumLabels(random.map(({ labels }) => labels)))
    const cases = runs.map(({ name, problem }) => ({
      id: name,
      status: problem?.status ?? ('pass' as const),
    }))
    const verdict = verdictOf({ suites: [{ cases }], requirements: [], floors: [...floors], baseline: null })
    return { runs, floors, verdict }
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()))
  }
}

/** Writes each shrunk script among the kept failures, and a recording of it for people to look into. */
export async function keepFailures(
  { folder, recordings }: { readonly folder: string; readonly recordings: string },
  known: readonly KeptFailure[],
  shrunkRuns: readonly ShrunkRun[],
  onKept: (kept: KeptRun) => void,
): Promise<void> {
  for (const shrunkRun of shrunkRuns) {
    const { seed } = shrunkRun.run
    const { steps, broken } = shrunkRun.shrunk
    const written = writeFailure(folder, { ...broken, seed, case: { steps } as never }, known)
    await recordRuns(recordings, [{ name: broken.requirement, seed, steps, log: [] }], (recording) =>
      onKept({ ...shrunkRun, file: relative('', written), recording: relative('', recording) }),
    )
  }
}
