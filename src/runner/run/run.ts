import { outcomeOf } from '../verdict/outcome.ts'
import { execute as runThem, shownError } from './execute.ts'
import type { Outcome, RunRequest } from './runRequest.ts'

/** Plans and runs cases, tallies them, compares them with the baseline, decides the verdict. Every run goes through here. */
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
