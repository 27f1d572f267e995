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
  /** Of a named scenario: its first requirement. Null for a random script. */
  readonly requirement: RequirementId | null
}

/** Describes why a run is no pass. `inconclusive` blames the harness, or a run that its seed does not decide. */
export interface RunProblem {
  readonly status: 'fail' | 'inconclusive'
  /** The first property that is broken; null where no property could be judged. */
  readonly broken: BrokenProperty | null
  /** Where the step stands in the script, as in its log; null when no single step is to blame. */
  readonly path: string | null
  readonly step: StepInput | null
  readonly message: string
}

/** Describes what one script came to. Equal for equal scripts and seeds, to the byte. */
export interface ScriptRun {
  /** Empty when the script could not be run. */
  readonly log: readonly StepLog[]
  /** How often each fault and each crash struck, by its name. */
  readonly struck: Run['struck']
  /** The states that it met, with their counts. */
  readonly labels: readonly (readonly [string, number])[]
  /** By property: the verdicts that it gave. */
  readonly judged: Readonly<Record<string, readonly Judged[]>>
  readonly problem: RunProblem | null
}

/** A failing script, shrunk. */
export interface ShrunkScript extends Pick<Shrunk<unknown>, 'tries' | 'exhausted'> {
  readonly steps: readonly StepInput[]
  readonly broken: BrokenProperty
}

/** Describes where a script runs: what it needs of an environment in this process. */
export interface ScriptContext {
  readonly inside: { readonly world: World }
  fresh(): Promise<unknown>
}

/** Describes what the properties of scripts judge. */
export interface ObservedScript {
  readonly run: Run
  /** Why the script ended early; null when every step was run. */
  readonly ended: Error | null
}

/** The family whose cases are scripts. */
export interface ScriptFamily<Observed extends ObservedScript>
  extends Family<ScriptContext, { readonly steps: readonly StepInput[] }, Observed> {}

/** At most so many scripts are run to shrink one. */
const SHRINK_TRIES = 500

/** The scripts of this process: any number at once, or one that must be alone. */
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
 * Resets the world, runs a script while the tripwire is armed, and judges it by every property of its family. Where a script leaks,
 * each that ran in this process meanwhile is run again alone, so that what a script comes to does not depend on its neighbours. Never
 * throws for what the service or the script does: that is the run's problem.
 */
export async function runScript<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
): Promise<ScriptRun> {
  const runIn = async (isAlone: boolean) => {
    await scripts.enter(isAlone)
    return runArmed(family, world, script).finally(scripts.leave)
  }
  const among = await runIn(false)
  return among.isShared ? (await runIn(true)).run : among.run
}

/** Returns what a script came to, and whether there was a leak that may be of one that ran next to it. */
async function runArmed<Observed extends ObservedScript>(
  family: ScriptFamily<Observed>,
  world: World,
  script: Script,
): Promise<{ readonly run: ScriptRun; readonly isShared: boolean }> {
  const leaks: SimulationLeakError[] = []
  let isShared = false
  const disarm = arm({
    rpcUrl: world.manifest.rpcUrl,
    onLeak: (leak, isOwn) => {
      leaks.push(leak)
      isShared ||= !isOwn
    },
  })
  const run = await armedRun(family, world, script, leaks).finally(disarm)
  return { run, isShared }
}

async function armedRun<Observed extends ObservedScript>(
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

function leakOf([leak]: readonly SimulationLeakError[]): RunProblem | null {
  if (leak === undefined) return null
  return { status: 'inconclusive', broken: null, path: null, step: null, message: leak.message }
}

function problemOf(error: unknown, { steps }: Script): RunProblem {
  if (!(error instanceof StepError)) throw error
  const place = placeOf(error.path, steps)
  return { status: 'inconclusive', broken: null, ...place, message: error.message }
}

/** Returns the first broken property. What an unmet expectation of a named scenario breaks, is what the scenario is about. */
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

/** A named scenario means every fault that it plans. */
function faultsMissed<Observed extends ObservedScript>(
  { observed }: CaseRun<Observed>,
  { requirement }: Script,
): RunProblem | null {
  const { unmetFaults } = observed.run
  if (requirement === null || unmetFaults === 0) return null
  const message = `${unmetFaults} planned faults never occurred, so the scenario did not happen as planned`
  return { status: 'inconclusive', broken: null, path: null, step: null, message }
}

/** Returns the step that a verdict is about: by its number among the reports, or by its place in the script. */
function pathIn(actual: string, { reports }: Run): string | null {
  const report = actual.match(/\(report (\d+)/)?.[1]
  if (report !== undefined) return reports[Number(report) - 1]?.path ?? null
  return actual.match(/\(step ([\d/]+)/)?.[1] ?? null
}

function placeOf(path: string, steps: readonly StepInput[]): Pick<RunProblem, 'path' | 'step'> {
  return { path, step: steps[Number(path.split('/')[0])] ?? null }
}
