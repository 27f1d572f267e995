import { failureText } from '../runner/families/failures.ts'
import type { ScriptRun, ShrunkScript } from '../runner/families/runScript.ts'
import type { Json } from '../runner/families/shrinkJson.ts'
import { randomRun } from '../runner/simulate/plan.ts'
import type { FinishedRun, Simulator } from '../runner/simulate/run.ts'
import { keptFailureOf, runToRecord } from '../runner/simulate/simulate.ts'
import { traceLine } from '../runner/simulate/trace.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { lastingWorker } from './lastingWorker.ts'
import type { CampaignFailure, KeptShrunk, SeedOutcome, SeedRunner } from './seedRunner.ts'
import { withoutCounts } from './withoutCounts.ts'

/**
 * Runs the random script of each seed.
 *
 * @param open starts a simulator.
 * @param onEnded is called with the reason whenever one is ended from outside, and replaced.
 */
export function simulatedSeeds(open: () => Simulator, onEnded: (problem: string) => void): SeedRunner {
  const nameOf = (task: Parameters<Simulator['run']>[0]) =>
    `seed ${task.kind === 'record' ? task.run.seed : task.script.seed}`
  const simulator = lastingWorker(open, nameOf, onEnded)
  return {
    get atOnce() {
      return simulator.atOnce ?? 1
    },
    run: async (seed) => outcomeOfRun(await runSeed(simulator, seed)),
    shrink: (failure) => shrinkSeed(simulator, failure),
    stop: () => simulator.stop(),
  }
}

/** Returns what the run of a random script came to. The trace is the line that `plumbline simulate --trace` writes for it. */
export function outcomeOfRun(run: FinishedRun): SeedOutcome {
  const { name, seed, options, steps, struck, log, labels, judged, problem } = run
  return {
    seed,
    steps: log.length,
    labels,
    entries: [{ name, seed, options, steps }, ...log, { struck, judged, problem }],
    trace: traceLine(run),
    failures: failureOf(run),
  }
}

async function runSeed(simulator: Simulator, seed: number): Promise<FinishedRun> {
  const planned = randomRun(seed)
  const { steps, requirement } = planned
  const run = (await simulator.run({ kind: 'run', script: { seed, steps, requirement } })) as ScriptRun
  return { ...planned, ...run }
}

async function shrinkSeed(
  simulator: Simulator,
  { seed, fingerprint }: Pick<CampaignFailure, 'seed' | 'fingerprint'>,
): Promise<KeptShrunk> {
  const run = await runSeed(simulator, seed)
  const broken = run.problem?.broken ?? null
  if (broken === null || failureOf(run)[0]?.fingerprint !== fingerprint)
    return {
      shrunk: { problem: `seed ${seed} did not fail in this way again` },
      script: null,
      recording: null,
    }
  const script = { seed, steps: run.steps, requirement: null }
  const shrunk = (await simulator.run({ kind: 'shrink', script, broken })) as ShrunkScript
  const kept = keptFailureOf(seed, shrunk)
  const { requirement, expected, actual } = kept
  const { tries, exhausted } = shrunk
  return {
    shrunk: { case: kept.case as Json, requirement, expected, actual, tries, exhausted },
    script: failureText(kept),
    recording: (await simulator.run({ kind: 'record', run: runToRecord(seed, shrunk) })) as string,
  }
}

function failureOf({ seed, problem }: FinishedRun): readonly CampaignFailure[] {
  if (problem === null) return []
  const { status, broken, message, path } = problem
  const [property, requirement] = [broken?.property ?? null, broken?.requirement ?? null]
  const fingerprint = fingerprintOf({
    caseId: property ?? status,
    requirement: requirement ?? '',
    expected: withoutCounts(broken?.expected ?? ''),
    actual: withoutCounts(broken?.actual ?? message),
  })
  return [{ fingerprint, seed, seeds: 1, status, property, requirement, message, path }]
}
