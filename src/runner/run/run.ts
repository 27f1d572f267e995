import type { ReachableService } from '../../reporting/report/again.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { TargetStartError, TargetUnreachableError } from '../../targets/errors.ts'
import { nameOf, scopeOf, secretsOf, type Target } from '../../targets/open.ts'
import { resultsInOrder } from '../cases/changedResults.ts'
import { planRun } from '../plan/plan.ts'
import { executed, outcomeOf } from '../verdict/outcome.ts'
import { execute as runThem, shownError } from './execute.ts'
import type { KeptRun, Outcome, RunRequest } from './runRequest.ts'

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

/** Returns the outcome of a run whose target did not become ready: every case is inconclusive. Null: it ended for another reason. */
export function outcomeWithoutTarget(request: RunRequest, error: unknown): Outcome | null {
  if (!(error instanceof TargetStartError || error instanceof TargetUnreachableError)) return null
  const { target, options } = request
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  // The target's output follows, and is in its log.
  const [reason = ''] = error.message.split('\n', 1)
  const session = {
    ...scopeOf(target, options),
    ...{ name: nameOf(target), baseUrl: '', secrets: secretsOf(target, options) },
  }
  return outcomeOf(request, executed(session, plan, resultsInOrder(planned, [], reason)))
}

/**
 * Returns the address at which the requests of a run can be repeated; null: the target that the run started is gone.
 *
 * @param kept the target, if it stayed up; null: it ended with the run.
 */
export function serviceAfter(
  target: Target,
  { baseUrl }: Pick<Outcome, 'baseUrl'>,
  kept: KeptRun | null,
): ReachableService | null {
  if (typeof target === 'object' && 'url' in target) {
    // Credentials of a URL are not shown, and without them it is a different URL.
    const isShown = withoutCredentials(target.url).href === new URL(target.url).href
    return { baseUrl: isShown ? baseUrl : null, leftBy: kept?.leftBy ?? null }
  }
  return kept === null ? null : { baseUrl: kept.url, leftBy: kept.leftBy }
}
