import { outcomeOf } from '../verdict/outcome.ts'
import { executeOnLanes, shownError } from './executeOnLanes.ts'
import type { Outcome, RunRequest } from './runRequest.ts'

/** Returns the only way in which cases are run: plans, runs, tallies, compares with the baseline, decides. */
export async function runSuites(request: RunRequest): Promise<Outcome> {
  const { execute = executeOnLanes, progress } = request
  try {
    return outcomeOf(request, await execute(request))
  } catch (error) {
    throw shownError(request, error)
  } finally {
    progress?.end()
  }
}
