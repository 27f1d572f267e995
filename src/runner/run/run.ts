import { outcomeOf } from '../verdict/outcome.ts'
import { execute as runThem, shownError } from './execute.ts'
import type { Outcome, RunRequest } from './runRequest.ts'

/** Runs cases, the only way in which they are run: plans, runs, tallies, compares with the baseline, decides. */
export async function runSuites(request: RunRequest): Promise<Outcome> {
  const { execute = runThem, progress } = request
  try {
    return outcomeOf(request, await execute(request))
  } catch (error) {
    throw shownError(request, error)
  } finally {
    progress?.end()
  }
}
