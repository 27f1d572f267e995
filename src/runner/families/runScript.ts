import type { Run, StepLog } from '../../simulation/run/runLog.ts'
import { ExpectationError, StepError } from '../../simulation/steps/stepErrors.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { arm, type SimulationLeakError } from '../../simulation/tripwire/tripwire.ts'
import type { World } from '../../simulation/world/world.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import type { Judged } from '../../targets/evidence/evidence.ts'
import { openRoom } from '../pool/room.ts'
import { sumLabels } from '../verdict/floors.ts'
import type { Family } from './family.ts'
import { type BrokenProperty, type CaseRun, runFamilyCase } from './runFamilyCase.ts'
import type { Shrunk } from './shrink.ts'
import { shrinkCase } from './shrinkCase.ts'

/** A script, and the seed of its world. */
export interface Script {
  readonly seed: number
  readonly steps: readonly StepInput[]
  /** First requirement of a named scenario; null for a random script. */
  readonly requirement: RequirementId | null
}

/** Reason that a run did not pass. `inconclusive` blames the harness, or a run that depends on more than its seed. */
export interface RunProblem {
  readonly status: 'fail' | 'inconclusive'
  /** First property that is broken; null where no property could be judged. */
  readonly broken: BrokenProperty | null
  /** Position of the step in the script, as in its log; null when no single step is to blame. */
  readonly path: string | null
  readonly step: StepInput | null
  readonly message: string
}

/** Result of one script. Equal for equal scripts and seeds, to the byte. */
export interface ScriptRun {
  /** Empty if the script could not be run. */
  readonly log: readonly StepLog[]
  /** Number of times that each fault and each crash occurred, by its name. */
  readonly struck: Run['struck']
  /** States that it reached, with their counts. */
  readonly labels: readonly (readonly [string, number])[]
  /** By property: its verdicts. */
  readonly judged: Readonly<Record<string, readonly Judged[]>>
  readonly problem: RunProblem | null
}

/** A failing script, shrunk. */
export interface ShrunkScript extends Pick<Shrunk<unknown>, 'tries' | 'exhausted'> {
  readonly steps: readonly StepInput[]
  readonly broken: BrokenProperty
}

/** The part of an in-process environment that a script needs. */
export interface ScriptContext {
  readonly inside: { readonly world: World }
  fresh(): Promise<unknown>
}

/** Observation of one script, which the properties judge. */
export interface ObservedScript {
  readonly run: Run
  /** Reason that the script ended early; null: every step was run. */
  readonly ended: Error | null
}

/** The family whose cases are scripts. */
export interface ScriptFamily<Observed extends ObservedScript>
  extends Family<ScriptContext, { readonly steps: readonly StepInput[] }, Observed> {}

/** Maximum number of scripts run to shrink one. */
const SHRINK_TRIES = 500

/** Admits the scripts of this process: any number concurrently, or one alone. */
const scripts = openRoom()

/** Shrinks a script that breaks a property. */
export async function shrinkScript<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
  broken: BrokenProperty,
): Promise<ShrunkScript> {
  const input = { steps: script.steps }
  const shrunk = await shrinkCase(family, contextOf(world, script), input, broken, SHRINK_TRIES)
  const { smallest, tries, exhausted } = shrunk
  return { steps: smallest.steps, broken: shrunk.broken, tries, exhausted }
}

/**
 * Resets the world, runs a script while the tripwire is armed, and judges it by every property of its family. If there was a
 * leak that another script of this process may have caused, the script is run again alone, so that its result does not depend
 * on its neighbours. Never throws for anything that the service or the script does: that is the run's problem.
 */
export async function runScript<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
): Promise<ScriptRun> {
  const among = await runArmed(family, world, script, false)
  return among.isShared ? (await runArmed(family, world, script, true)).run : among.run
}

/** Runs a script under the tripwire. `isShared`: there was a leak that another script may have caused. */
async function runArmed<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
  isAlone: boolean,
): Promise<{ readonly run: ScriptRun; readonly isShared: boolean }> {
  const leaks: SimulationLeakError[] = []
  let isShared = false
  await scripts.enter(isAlone)
  const disarm = arm({
    rpcUrl: world.manifest.rpcUrl,
    onLeak: (leak, isOwn) => {
      leaks.push(leak)
      isShared ||= !isOwn
    },
  })
  try {
    return { run: await judgedRun(family, world, script, leaks), isShared }
  } finally {
    disarm()
    scripts.leave()
  }
}

async function judgedRun<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
  leaks: readonly SimulationLeakError[],
): Promise<ScriptRun> {
  try {
    const input = { steps: script.steps }
    const run = await runFamilyCase(family, contextOf(world, script), input, family.properties)
    const { log, struck } = run.observed.run
    const labels = [...sumLabels([[...family.labels(run.observed)].map((label) => [label, 1] as const)])]
    const problem = leakOf(leaks) ?? brokenIn(run, script) ?? faultsMissed(run, script)
    return { log, struck, labels, judged: run.judged, problem }
  } catch (error) {
    const problem = leakOf(leaks) ?? problemOf(error, script)
    return { log: [], struck: {}, labels: [], judged: {}, problem }
  }
}

function contextOf(world: World, { seed }: Script): ScriptContext {
  return { inside: { world }, fresh: () => world.reset(seed) }
}

function inconclusive(
  { message }: Pick<Error, 'message'>,
  place: Pick<RunProblem, 'path' | 'step'> = { path: null, step: null },
): RunProblem {
  return { status: 'inconclusive', broken: null, ...place, message }
}

function leakOf([leak]: readonly SimulationLeakError[]): RunProblem | null {
  return leak === undefined ? null : inconclusive(leak)
}

function problemOf(error: unknown, { steps }: Script): RunProblem {
  if (!(error instanceof StepError)) throw error
  return inconclusive(error, placeOf(error.path, steps))
}

/** Returns the first broken property. An unmet expectation of a named scenario breaks the scenario's own requirement. */
function brokenIn<Observed extends ObservedScript>(
  { observed, broken: [first] }: CaseRun<Observed>,
  { steps, requirement }: Script,
): RunProblem | null {
  if (first === undefined) return null
  const { run, ended } = observed
  const unmet = ended instanceof ExpectationError && first.actual.startsWith(ended.actual)
  const broken = unmet && requirement !== null ? { ...first, requirement } : first
  const path = pathIn(first.actual, run)
  const place = path === null ? { path, step: null } : placeOf(path, steps)
  const message = `${broken.requirement}: expected ${broken.expected}, actual ${broken.actual}`
  return { status: 'fail', broken, ...place, message }
}

/** Reports planned faults of a named scenario that never occurred: the scenario depends on each of them. */
function faultsMissed<Observed extends ObservedScript>(
  { observed }: CaseRun<Observed>,
  { requirement }: Script,
): RunProblem | null {
  const { unmetFaults } = observed.run
  if (requirement === null || unmetFaults === 0) return null
  return inconclusive({
    message: `${unmetFaults} planned faults never occurred, so the scenario did not happen as planned`,
  })
}

/** Returns the path of the step that a verdict is about, by its report's number or by the step that it names. */
function pathIn(actual: string, { reports }: Run): string | null {
  const report = actual.match(/\(report (\d+)/)?.[1]
  if (report !== undefined) return reports[Number(report) - 1]?.path ?? null
  return actual.match(/\(step ([\d/]+)/)?.[1] ?? null
}

function placeOf(path: string, steps: readonly StepInput[]): Pick<RunProblem, 'path' | 'step'> {
  return { path, step: steps[Number(path.split('/')[0])] ?? null }
}
