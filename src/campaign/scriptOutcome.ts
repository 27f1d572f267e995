import { createHash } from 'node:crypto'
import type { Script, ScriptRun } from '../runner/families/runScript.ts'
import { randomRun } from '../runner/simulate/plan.ts'
import type { FinishedRun } from '../runner/simulate/simulations.ts'
import { traceLine } from '../runner/simulate/trace.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { withoutCounts } from './fingerprints.ts'
import type { SeedFailure, SeedOutcome } from './seedRunner.ts'

/** Runs the random script of a seed. The digest is that of its line in `plumbline simulate --trace`. */
export async function runScriptSeed(
  runScript: (script: Script) => Promise<ScriptRun>,
  seed: number,
): Promise<SeedOutcome> {
  const planned = randomRun(seed)
  const run = { ...planned, ...(await runScript(planned)) }
  const failure = failureOf(run)
  return {
    steps: run.log.length,
    labels: run.labels,
    digest: createHash('sha256').update(traceLine(run)).digest('hex'),
    failures: failure === null ? [] : [failure],
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
  const requirements = requirement === null ? [] : [requirement]
  const blame = requirement === null ? 'harness' : 'target'
  const found = { blame, requirement, expected, actual, message: actual, exchanges: [], replay: '' } as const
  return { fingerprint, seed, case: { id, title, requirements, status, notes, failure: found } }
}
