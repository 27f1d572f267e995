import { createHash } from 'node:crypto'
import type { BrokenProperty } from '../runner/families/runFamilyCase.ts'
import type { Script, ScriptRun, ShrunkScript } from '../runner/families/runScript.ts'
import { runToRecord } from '../runner/simulate/keep.ts'
import { randomRun } from '../runner/simulate/plan.ts'
import type { RunToRecord } from '../runner/simulate/record.ts'
import type { FinishedRun } from '../runner/simulate/simulations.ts'
import { traceLine } from '../runner/simulate/trace.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { withoutCounts } from './fingerprints.ts'
import type {
  FailedCase,
  SeedFailure,
  SeedOutcome,
  SeedResult,
  SeedTask,
  ShrunkFailure,
} from './seedRunner.ts'

/** Runs scripts in a world, one after another; records what is left of one that was shrunk. */
export interface Simulator {
  run(script: Script): Promise<ScriptRun>
  shrink(script: Script, broken: BrokenProperty): Promise<ShrunkScript>
  /** Returns the text of the recording. */
  record(run: RunToRecord): Promise<string>
}

/** Runs the random script of a seed, or shrinks what it fails at. */
export async function runScriptSeed(simulator: Simulator, { seed, shrink }: SeedTask): Promise<SeedResult> {
  const planned = randomRun(seed)
  const run = { ...planned, ...(await simulator.run(planned)) }
  return shrink === undefined ? outcomeOfRun(run) : shrinkRun(simulator, run, shrink)
}

/** Returns what the run of a random script came to. Its digest is that of the line that `plumbline simulate --trace` writes for it. */
function outcomeOfRun(run: FinishedRun): SeedOutcome {
  const failure = failureOf(run)
  return {
    steps: run.log.length,
    labels: run.labels,
    digest: createHash('sha256').update(traceLine(run)).digest('hex'),
    failures: failure === null ? [] : [failure],
  }
}

async function shrinkRun(
  simulator: Simulator,
  run: FinishedRun,
  fingerprint: string,
): Promise<ShrunkFailure | null> {
  const [failure, broken] = [failureOf(run), run.problem?.broken ?? null]
  if (broken === null || failure?.fingerprint !== fingerprint) return null
  const { seed, steps } = run
  const shrunk = await simulator.shrink(run, broken)
  const { tries, exhausted } = shrunk
  const { requirement, expected, actual } = shrunk.broken
  const limit = exhausted ? ', which is the limit' : ''
  return {
    case: {
      ...failure.case,
      notes: [
        `shrunk from ${steps.length} steps to ${shrunk.steps.length} in ${tries} runs${limit}:`,
        ...shrunk.steps.map((step) => JSON.stringify(step)),
      ],
      failure: failureIn({ requirement, expected, actual, counterexample: { steps: shrunk.steps } as never }),
    },
    recording: await simulator.record(runToRecord(seed, shrunk)),
  }
}

function failureOf({ name, seed, problem }: FinishedRun): SeedFailure | null {
  if (problem === null) return null
  const { status, broken, message, path, step } = problem
  const { property: id = name, requirement = null, expected = '', actual = message } = broken ?? {}
  const fingerprint = fingerprintOf({
    caseId: broken?.property ?? status,
    requirement: requirement ?? '',
    expected: withoutCounts(expected),
    actual: withoutCounts(actual),
  })
  const title = `random script, seed ${seed}`
  const notes = path === null ? [] : [`step ${path}: ${JSON.stringify(step)}`]
  const failure = failureIn({ requirement, expected, actual })
  const requirements = requirement === null ? [] : [requirement]
  return { fingerprint, seed, case: { id, title, requirements, status, notes, failure } }
}

type Failure = NonNullable<FailedCase['failure']>

function failureIn(found: Pick<Failure, 'requirement' | 'expected' | 'actual' | 'counterexample'>): Failure {
  const blame = found.requirement === null ? 'harness' : 'target'
  return { ...found, blame, message: found.actual, exchanges: [], replay: '' }
}
